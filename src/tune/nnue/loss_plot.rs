//! Plots curves as a self-contained SVG image, which every browser shows.

use std::fmt::Write;

/// A curve through points, by epoch.
pub(super) struct Curve {
    pub name: &'static str,
    pub points: Vec<(f32, f32)>,
}

// All in pixels.
const WIDTH: f32 = 800.0;
const HEIGHT: f32 = 420.0;
const LEFT: f32 = 70.0;
const RIGHT: f32 = WIDTH - 20.0;
const TOP: f32 = 44.0;
const BOTTOM: f32 = HEIGHT - 52.0;

/// Colours of the curves, which people who see no red or no green can also tell apart.
const COLORS: [&str; 2] = ["#9bbfe0", "#c2541b"];

/// Round numbers that divide the range into about `wanted` parts, none finer than `least`.
fn ticks(low: f32, high: f32, wanted: f32, least: f32) -> Vec<f32> {
    let rough = ((high - low) / wanted).max(least);
    let power = 10f32.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(rough);
    let first = (low / step - 1e-3).ceil() as i32;
    (first..).map(|n| n as f32 * step).take_while(|value| *value <= high + step * 1e-3).collect()
}

/// Draws two curves of a loss by epoch, a level to compare them with if there is one, and the epoch from which only the
/// layers are trained.
pub(super) fn plot(curves: [Curve; 2], level: Option<(&str, f32)>, layers_from: f32) -> String {
    let is_finite = |(x, y): &(f32, f32)| x.is_finite() && y.is_finite();
    let curves =
        curves.map(|curve| Curve { points: curve.points.into_iter().filter(is_finite).collect(), ..curve });
    let level = level.filter(|(_, level)| level.is_finite());
    let all = || curves.iter().flat_map(|curve| &curve.points).copied();
    let last = all().map(|(x, _)| x).fold(1.0, f32::max);
    let ys = || all().map(|(_, y)| y).chain(level.map(|(_, level)| level));
    let (low, high) = (ys().fold(f32::INFINITY, f32::min), ys().fold(f32::NEG_INFINITY, f32::max));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
    // Some space above and below, which also keeps the range from being zero if all values are equal.
    let room = (0.06 * (high - low)).max(0.001);
    let (low, high) = (low - room, high + room);
    let place_x = |x: f32| LEFT + x / last * (RIGHT - LEFT);
    let place_y = |y: f32| BOTTOM - (y - low) / (high - low) * (BOTTOM - TOP);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#33363c\" role=\"img\">\n\
         <title>Losses of a training by epoch</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    let mut put = |part: String| {
        let _ = writeln!(svg, "{part}");
    };
    let line = |[x1, y1, x2, y2]: [f32; 4], style: &str| {
        format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>")
    };
    let text = |x: f32, y: f32, more: &str, text: &str| {
        format!("<text x=\"{x:.1}\" y=\"{y:.1}\"{more}>{text}</text>")
    };
    let grid = "stroke=\"#ddd8cc\"";
    for y in ticks(low, high, 5.0, 0.001) {
        put(line([LEFT, place_y(y), RIGHT, place_y(y)], grid));
        put(text(LEFT - 8.0, place_y(y) + 4.0, " text-anchor=\"end\"", &format!("{y:.3}")));
    }
    for x in ticks(0.0, last, 8.0, 1.0) {
        put(line([place_x(x), TOP, place_x(x), BOTTOM], grid));
        put(text(place_x(x), BOTTOM + 18.0, " text-anchor=\"middle\"", &format!("{x:.0}")));
    }
    put(text((LEFT + RIGHT) / 2.0, HEIGHT - 12.0, " text-anchor=\"middle\"", "epoch"));
    let middle = (TOP + BOTTOM) / 2.0;
    let turned = format!(" text-anchor=\"middle\" transform=\"rotate(-90 18 {middle})\"");
    put(text(18.0, middle, &turned, "loss (mean cross entropy)"));
    if layers_from > 0.0 && layers_from < last {
        let x = place_x(layers_from);
        put(line([x, TOP, x, BOTTOM], "stroke=\"#5b5f68\" stroke-dasharray=\"2 3\""));
        put(text(x + 5.0, TOP + 14.0, "", "layers alone"));
    }
    let mut legend = LEFT;
    let mut name = |style: &str, name: &str| {
        let sample = line([legend, 22.0, legend + 24.0, 22.0], style);
        let named = text(legend + 30.0, 26.0, "", name);
        legend += 60.0 + 7.5 * name.len() as f32;
        format!("{sample}\n{named}")
    };
    if let Some((level_name, level)) = level {
        let style = "stroke=\"#5b5f68\" stroke-dasharray=\"6 4\"";
        put(line([LEFT, place_y(level), RIGHT, place_y(level)], style));
        put(name(style, level_name));
    }
    for (Curve { name: called, points }, color) in curves.iter().zip(COLORS) {
        let style = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"");
        let places: Vec<String> =
            points.iter().map(|&(x, y)| format!("{:.1},{:.1}", place_x(x), place_y(y))).collect();
        put(format!("<polyline points=\"{}\" {style}/>", places.join(" ")));
        put(name(&style, called));
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        assert_eq!(ticks(0.0, 8.0, 8.0, 1.0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert_eq!(ticks(0.0, 2.0, 8.0, 1.0), [0.0, 1.0, 2.0]);
        let found = ticks(0.512, 0.69, 5.0, 0.001);
        let expected = [0.55, 0.6, 0.65];
        assert!(
            found.len() == 3 && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5),
            "{found:?}"
        );
    }
}
