//! Builds the page around its contents.

use anyhow::Context;

use super::contents::Contents;

const FRAME: &str = include_str!("page.html");
const STYLES: [&str; 2] = [include_str!("../page/theme.css"), include_str!("page.css")];
/// JavaScript modules in the order in which they build on each other; the page carries them as one script.
const MODULES: [&str; 10] = [
    include_str!("../page/elements.js"),
    include_str!("../page/points.js"),
    include_str!("../page/charts.js"),
    include_str!("../page/course.js"),
    include_str!("../page/board.js"),
    include_str!("../page/stepping.js"),
    include_str!("names.js"),
    include_str!("ends.js"),
    include_str!("games.js"),
    include_str!("page.js"),
];

/// The whole page.
///
/// # Errors
/// None for contents that were counted from records.
pub fn page(title: &str, contents: &Contents) -> anyhow::Result<String> {
    let contents = serde_json::to_string(contents).context("writing the contents as JSON")?;
    let script = one_script(&MODULES);
    Ok(filled(
        FRAME,
        &[
            ("title", &as_html(title)),
            ("style", &STYLES.concat()),
            ("contents", &as_script_data(&contents)),
            ("script", &script),
        ],
    ))
}

/// Joins modules into one script, which a page without a server can carry. Their names are distinct, so imports between
/// them can be dropped.
fn one_script(modules: &[&str]) -> String {
    let mut script = String::from("\"use strict\";\n");
    for module in modules {
        // An import may have several lines.
        let mut is_import = false;
        for line in module.lines() {
            is_import |= line.starts_with("import ");
            if !is_import {
                script += line.strip_prefix("export ").unwrap_or(line);
                script.push('\n');
            }
            is_import &= !line.ends_with(';');
        }
    }
    script
}

/// The frame with `{{name}}` replaced, in one pass, because inserted text may itself look like a name.
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

/// Escapes text that is placed between tags or in an attribute.
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

/// Escapes JSON that is placed in a script element. HTML looks for `</script` and `<!--` there, even inside JSON
/// strings. These characters occur in strings only, where they can be written by number.
fn as_script_data(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        assert_eq!(filled("{{a}}-{{b}}-{{a}}", &[("a", "{{b}}"), ("b", "x}}")]), "{{b}}-x}}-{{b}}");
        // The frame uses only names that are known; any other would panic here.
        assert!(page("t", &Contents::default()).unwrap().ends_with("</html>\n"));
    }

    #[test]
    fn modules_become_one_script() {
        let imports = "import { a } from \"./a.js\";\nimport {\n  c,\n} from \"./c.js\";\n";
        let script = one_script(&[&format!("{imports}export function b() {{}}\n"), "b();\n"]);
        assert_eq!(script, "\"use strict\";\nfunction b() {}\nb();\n");
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
        // Drawings refer only to elements within themselves.
        assert_eq!(page.matches("url(").count(), page.matches("url(#").count());
    }
}
