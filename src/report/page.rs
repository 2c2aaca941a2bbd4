//! The page around its contents.

use anyhow::Context;

use super::contents::Contents;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In the order in which they build on each other.
const SCRIPTS: [&str; 5] = [
    include_str!("elements.js"),
    include_str!("charts.js"),
    include_str!("board.js"),
    include_str!("games.js"),
    include_str!("page.js"),
];

/// The whole page.
///
/// # Errors
/// None that contents counted from records can cause.
pub fn page(title: &str, contents: &Contents) -> anyhow::Result<String> {
    let contents = serde_json::to_string(contents).context("writing the contents as JSON")?;
    let script = SCRIPTS.concat();
    Ok(filled(
        FRAME,
        &[
            ("title", &as_html(title)),
            ("style", STYLE),
            ("contents", &as_script_data(&contents)),
            ("script", &script),
        ],
    ))
}

/// The frame with `{{name}}` replaced, in one pass: what is put in may itself look like a name.
fn filled(frame: &str, texts: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = frame;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let (name, after) = after.split_once("}}").expect("names in the frame are closed");
        let text = texts.iter().find(|&&(known, _)| known == name).expect("names in the frame are known").1;
        page.push_str(text);
        rest = after;
    }
    page + rest
}

/// Text that stands between tags or in an attribute.
fn as_html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(c),
        }
    }
    safe
}

/// JSON that stands in a script element. HTML looks for `</script` and `<!--` there, whatever JSON means; the
/// characters occur in strings only, where they can be written by number.
fn as_script_data(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        assert_eq!(filled("{{a}}-{{b}}-{{a}}", &[("a", "{{b}}"), ("b", "x}}")]), "{{b}}-x}}-{{b}}");
        // The frame names all there is, and nothing else: this would panic.
        assert!(page("t", &Contents::default()).unwrap().ends_with("</html>\n"));
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(as_html("<b a='\"&"), "&lt;b a=&#39;&quot;&amp;");
        let json = serde_json::to_string("</script><!-- & é").unwrap();
        let safe = as_script_data(&json);
        assert!(!safe.contains(['<', '>', '&']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), "</script><!-- & é");
    }

    #[test]
    fn the_page_needs_no_network() {
        let page = page("t", &Contents::default()).unwrap();
        for word in ["http:", "https:", "src=", "@import", "fetch(", "XMLHttp"] {
            assert!(!page.contains(word), "{word}");
        }
        // What drawings refer to lies in themselves.
        assert_eq!(page.matches("url(").count(), page.matches("url(#").count());
    }
}
