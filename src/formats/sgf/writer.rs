//! A game as text: each node on a line of its own, variations in brackets.

use std::fmt;

use super::tree::{SgfGame, SgfNode};

/// A step that is still to be written. The steps are on a stack of their own, since trees may be deeper than the stack
/// of a thread.
enum Step {
    Node(usize),
    Variation(usize),
    Close,
}

impl fmt::Display for SgfGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = vec![Step::Close, Step::Node(SgfGame::ROOT)];
        f.write_str("(")?;
        while let Some(step) = open.pop() {
            let number = match step {
                Step::Close => {
                    f.write_str(")")?;
                    continue;
                }
                Step::Node(SgfGame::ROOT) => SgfGame::ROOT,
                Step::Node(number) => {
                    f.write_str("\n")?;
                    number
                }
                Step::Variation(number) => {
                    f.write_str("\n(")?;
                    open.push(Step::Close);
                    number
                }
            };
            write_node(self.node(number), f)?;
            match self.children(number) {
                [next] => open.push(Step::Node(*next)),
                variations => open.extend(variations.iter().rev().map(|&next| Step::Variation(next))),
            }
        }
        f.write_str("\n")
    }
}

fn write_node(node: &SgfNode, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(";")?;
    for property in node.properties.iter().filter(|property| !property.values.is_empty()) {
        f.write_str(&property.name)?;
        for value in &property.values {
            write!(f, "[{}]", value.text.replace('\\', "\\\\").replace(']', "\\]"))?;
        }
    }
    Ok(())
}
