//! The server: where it listens, and who gets which answer.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{CONTENT_TYPE, HeaderValue, LOCATION, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::accept::accept_requests;
use super::assets::Assets;
use super::connection::{self, MOST_BYTES, Shared};
use super::guard::{self, Guard, Pass, Refusal};
use super::timeouts::Timeouts;
use crate::experience::Learner;
use crate::gui::{MessageHandler, MessageHandlerOptions};
use crate::library::LibraryAccess;

/// The address of the WebSocket.
const TALK: &str = "/talk";
/// Threads that read messages.
const READERS: usize = 4;
/// Stack of such a thread in bytes.
const READER_STACK: usize = 8 << 20;
/// How long the server, when it ends, waits for what is under way.
const LAST_WAIT: Duration = Duration::from_millis(500);

/// The default port. Browsers keep settings and games for a host and its port, so it should be the same every time.
/// Nobody has reserved this number, no operating system assigns it by itself, and it recalls the 15x15 board.
pub(crate) const USUAL_PORT: u16 = 15150;

/// How a server is set up.
#[derive(Clone, Debug)]
pub(crate) struct ServerOptions {
    /// The address on which to listen for other machines too; `None` serves this machine alone, without a token.
    pub listen: Option<IpAddr>,
    /// The port; 0 takes one that is free. `None` takes the default port, or one that is free if the default is taken.
    pub port: Option<u16>,
    /// Memory of the engine of each page, in bytes.
    pub memory: u64,
    /// The most threads that a search gets.
    pub threads: usize,
    /// A folder with the files of the page, to be used instead of the embedded ones.
    pub assets: Option<PathBuf>,
    /// A library of positions to answer from.
    pub library: Option<Arc<dyn LibraryAccess>>,
    /// What learns from the games that are lost on all pages.
    pub learner: Option<Arc<Learner>>,
    /// How long the server waits for others.
    pub timeouts: Timeouts,
}

/// A server that listens.
pub(crate) struct Server {
    listener: TcpListener,
    address: String,
    is_elsewhere: bool,
    state: Arc<Site>,
}

/// What every request needs.
struct Site {
    guard: Guard,
    assets: Assets,
    threads: usize,
    library: Option<Arc<dyn LibraryAccess>>,
    learner: Option<Arc<Learner>>,
    shared: Shared,
}

impl Server {
    /// Begins to listen; requests wait until [`Server::run`].
    ///
    /// # Errors
    /// The address or the port is not available, or there are no random numbers for a token.
    pub(crate) fn bind(options: ServerOptions) -> io::Result<Server> {
        let listen = options.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let listener = listener(listen, options.port)?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let is_elsewhere = options.port.is_none() && port != USUAL_PORT;
        let token = match options.listen {
            Some(_) => Some(guard::random_token().ok_or_else(|| io::Error::other("no random numbers"))?),
            None => None,
        };
        let host = SocketAddr::new(reachable(listen), port);
        let query = token.as_ref().map(|token| format!("?token={token}")).unwrap_or_default();
        let site = Site {
            guard: Guard::new(port, token),
            assets: Assets::new(options.assets.as_deref()),
            threads: options.threads,
            library: options.library,
            learner: options.learner,
            shared: Shared::new(options.memory, options.timeouts),
        };
        let address = format!("http://{host}/{query}");
        Ok(Server { listener, address, is_elsewhere, state: Arc::new(site) })
    }

    /// What to open in a browser.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Whether the default port was taken.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.is_elsewhere
    }

    /// Serves until a page ends it.
    ///
    /// # Errors
    /// The system gives no sockets.
    pub(crate) fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(READERS)
            .thread_stack_size(READER_STACK)
            .build()?;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let end = Arc::clone(&self.state.shared.end);
            let longest = self.state.shared.timeouts.with_answers;
            let site = self.state;
            let answer = move |peer, request| answer(Arc::clone(&site), peer, request);
            tokio::select! {
                () = accept_requests(listener, longest, answer) => {}
                () = end.notified() => {}
            }
            Ok(())
        });
        // The last frames are on their way.
        runtime.shutdown_timeout(LAST_WAIT);
        served
    }
}

/// Begins to listen on this port or, without one, on the default port or another if that is taken.
fn listener(listen: IpAddr, port: Option<u16>) -> io::Result<TcpListener> {
    let port = match port {
        Some(port) => port,
        None => match TcpListener::bind((listen, USUAL_PORT)) {
            // Windows may have reserved the port for itself.
            Err(error) if matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::PermissionDenied) => 0,
            bound => return bound,
        },
    };
    TcpListener::bind((listen, port))
}

/// The address itself or, if it means all addresses of this machine, one under which it can be reached.
fn reachable(listen: IpAddr) -> IpAddr {
    if !listen.is_unspecified() {
        return listen;
    }
    // Nothing is sent; the system only says from which address it would send. The target is an address reserved for
    // documentation (RFC 5737), which lies outside every network.
    let from = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    from.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |from| from.ip())
}

/// The single entry point of all requests.
async fn answer(site: Arc<Site>, peer: SocketAddr, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let host = site.guard.host(&parts.headers).map(str::to_owned);
    let headers = guard::headers(host.as_deref().ok());
    let answered = match host {
        Ok(host) => route(&site, peer, &host, &mut parts).await,
        Err(refusal) => Err(refusal),
    };
    let mut response = answered.unwrap_or_else(refuse);
    response.headers_mut().extend(headers);
    response
}

async fn route(site: &Site, peer: SocketAddr, host: &str, parts: &mut Parts) -> Result<Response, Refusal> {
    let pass = site.guard.pass(&parts.headers, &parts.uri)?;
    let path = parts.uri.path();
    if path == TALK {
        site.guard.origin(&parts.headers, host)?;
        return Ok(talk(site, peer, host, parts).await);
    }
    if parts.method != Method::GET && parts.method != Method::HEAD {
        return Ok(StatusCode::METHOD_NOT_ALLOWED.into_response());
    }
    if let (Pass::New, Some(cookie)) = (pass, site.guard.cookie())
        && let Ok(cookie) = HeaderValue::from_str(&cookie)
    {
        // Redirects to the address without the token, which should not stay in the browser's history.
        let location = HeaderValue::from_static("/");
        return Ok((StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, location)]).into_response());
    }
    let Some(asset) = site.assets.find(path) else { return Ok(StatusCode::NOT_FOUND.into_response()) };
    let content_type = HeaderValue::from_static(asset.content_type);
    let bytes = match asset.bytes {
        std::borrow::Cow::Borrowed(bytes) => Body::from(bytes),
        std::borrow::Cow::Owned(bytes) => Body::from(bytes),
    };
    Ok(([(CONTENT_TYPE, content_type)], bytes).into_response())
}

/// Opens the WebSocket of a page, unless there are too many pages.
async fn talk(site: &Site, peer: SocketAddr, host: &str, parts: &mut Parts) -> Response {
    let Ok(permit) = Arc::clone(&site.shared.pages).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.\n").into_response();
    };
    let upgrade = match WebSocketUpgrade::from_request_parts(parts, &()).await {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    // Behind a proxy, every peer is this machine.
    let is_local = peer.ip().to_canonical().is_loopback() && site.guard.is_local(host);
    let handler = MessageHandler::new(MessageHandlerOptions {
        threads: site.threads,
        is_server: true,
        can_shut_down: is_local,
    });
    let handler = match &site.library {
        Some(library) => handler.with_library(Arc::clone(library)),
        None => handler,
    };
    let handler = match &site.learner {
        Some(learner) => handler.with_learner(Arc::clone(learner)),
        None => handler,
    };
    let shared = site.shared.clone();
    upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES).on_upgrade(move |socket| async move {
        connection::serve(socket, handler, shared).await;
        drop(permit);
    })
}

fn refuse(refusal: Refusal) -> Response {
    let text = match refusal {
        Refusal::Host => "This server has another name.\n",
        Refusal::Token => "The address lacks the token that kagetsu board has printed.\n",
        Refusal::Origin => "Only its own page talks to this server.\n",
    };
    let content_type = (CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    (StatusCode::FORBIDDEN, [content_type], text).into_response()
}

#[cfg(test)]
#[path = "serve_tests.rs"]
mod tests;
