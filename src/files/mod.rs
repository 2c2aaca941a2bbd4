//! How files are read, written and shared: whole or not at all, one writer at a time. Nothing here knows what is in
//! them.
//!
//! | module | purpose |
//! |---|---|
//! | `whole` | writes a file completely or not at all |
//! | `read` | reads a file that may not be there yet |
//! | `folder` | makes the folder that an output goes to |
//! | `lock` | keeps two processes from writing the same thing |
//! | `owner` | keeps the owner and the permissions of a file that is replaced |
//! | `beside` | the names of files that belong to another file |
//! | `fingerprint` | tells inputs apart by a number |

mod beside;
#[cfg(any(feature = "tools", all(feature = "cli", feature = "library")))]
mod fingerprint;
#[cfg(feature = "tools")]
mod folder;
pub(crate) mod lock;
mod owner;
#[cfg(feature = "tools")]
mod read;
#[cfg(feature = "tools")]
mod whole;

pub(crate) use beside::beside;
#[cfg(any(feature = "tools", all(feature = "cli", feature = "library")))]
pub(crate) use fingerprint::Fingerprint;
#[cfg(feature = "tools")]
pub(crate) use folder::make_folder;
pub(crate) use owner::take_after;
#[cfg(feature = "tools")]
pub(crate) use read::read_if_there;
#[cfg(feature = "tools")]
pub(crate) use whole::{is_part_of, remove_parts_of, write_whole, write_whole_by, write_whole_to_disk};
