//! Accepts requests, and limits how many are under way at a time and how long each may take.

use std::convert::Infallible;
use std::net::SocketAddr;
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
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Most requests under way at a time. A browser sends six at once; later ones wait in the queue of the operating
/// system.
const MOST_REQUESTS: usize = 64;
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
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                log::warn!("a connection was not accepted: {error}");
                sleep(PAUSE).await;
                continue;
            }
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
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            let _permit = permit;
            if let Ok(Err(error)) = timeout(longest, connection.with_upgrades()).await {
                log::debug!("a request broke off: {error}");
            }
        });
    }
}
