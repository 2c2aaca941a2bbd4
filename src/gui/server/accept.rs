//! Accepts requests, and limits how many are under way at a time and how long each may take.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{CONNECTION, HeaderValue};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Most requests under way at a time. A browser sends six at once; later ones wait in the queue of the operating
/// system.
const MOST_REQUESTS: usize = 64;
/// Most of them from one other machine, which cannot keep the board from all others by saying nothing.
const MOST_OF_A_MACHINE: usize = 16;
/// How long the first lines of a request may take. They fit into one packet.
const HEADER_PATIENCE: Duration = Duration::from_secs(3);
/// Pause before the next attempt when the operating system gives no socket.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts requests, for ever. A request is dropped if it is not sent, or its answer not taken, within `longest`. The
/// limit no longer applies to a WebSocket that has been opened.
pub(super) async fn accept_requests<A, F>(listener: TcpListener, longest: Duration, answer: A)
where
    A: Fn(SocketAddr, Request) -> F + Clone + Send + 'static,
    F: Future<Output = Response> + Send + 'static,
{
    let permits = Arc::new(Semaphore::new(MOST_REQUESTS));
    let machines = Arc::new(Mutex::new(HashMap::new()));
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                log::warn!("a connection was not accepted: {error}");
                sleep(PAUSE).await;
                continue;
            }
        };
        let Some(guest) = Guest::welcome(&machines, peer.ip()) else {
            log::debug!("too many requests at a time from {}", peer.ip());
            continue;
        };
        // Frames are small and should not wait for each other.
        if let Err(error) = stream.set_nodelay(true) {
            log::warn!("frames may be late: {error}");
        }
        let answer = answer.clone();
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let answered = answer(peer, request.map(Body::new));
            async move {
                let mut response = answered.await;
                // Each request has its own connection, so that no idle connection is kept.
                if response.status() != StatusCode::SWITCHING_PROTOCOLS {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<Response, Infallible>(response)
            }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_PATIENCE)
            .serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            let _held = (permit, guest);
            if let Ok(Err(error)) = timeout(longest, connection.with_upgrades()).await {
                log::debug!("a request broke off: {error}");
            }
        });
    }
}

/// The requests under way from each machine.
type Machines = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// A request of another machine, counted as long as it is under way.
struct Guest {
    machines: Machines,
    address: IpAddr,
}

impl Guest {
    /// Counts a request; `None` if its machine has too many. This machine may have as many as it likes.
    fn welcome(machines: &Machines, address: IpAddr) -> Option<Guest> {
        // A socket that serves IPv6 as well names this machine in another way.
        let address = address.to_canonical();
        let mut counts = machines.lock();
        let count = counts.entry(address).or_default();
        if *count >= MOST_OF_A_MACHINE && !address.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Guest { machines: Arc::clone(machines), address })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.machines.lock().entry(self.address) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_machine_keeps_others_out() {
        let machines = Machines::default();
        let [here, one, other] = [[127, 0, 0, 1], [10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let mut all: Vec<Guest> =
            (0..MOST_OF_A_MACHINE).map(|_| Guest::welcome(&machines, one).unwrap()).collect();
        assert!(Guest::welcome(&machines, one).is_none() && Guest::welcome(&machines, other).is_some());
        let mapped = "::ffff:127.0.0.1".parse().unwrap();
        for address in [here, mapped] {
            all.extend((0..2 * MOST_OF_A_MACHINE).map(|_| Guest::welcome(&machines, address).unwrap()));
        }
        all.remove(0);
        assert!(Guest::welcome(&machines, one).is_some());
        drop(all);
        assert!(machines.lock().is_empty());
    }
}
