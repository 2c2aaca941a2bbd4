//! Decides which requests are answered: those that name this server, come from its own page, and carry the token where
//! one is required.
//!
//! A browser lets any page on the web send requests to this machine. The header `Host` reveals pages that have pointed
//! their own name to this address (DNS rebinding), and `Origin` reveals pages that open a WebSocket to a server other
//! than their own.

use std::hint::black_box;

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};

use crate::formats::text::hex;

/// The query parameter that carries the token.
const TOKEN_PARAMETER: &str = "token=";
/// Random bytes of a token.
const TOKEN_BYTES: usize = 16;

/// Why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is meant for another server.
    Host,
    /// It lacks the token.
    Token,
    /// It comes from another page.
    Origin,
}

/// How a request has proved that it may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// No token is required, or the cookie carries it.
    Known,
    /// The token is in the address, and the browser should get the cookie, whether it has it already or not: the
    /// address should not stay in its history.
    New,
}

/// What a server requires of requests.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    port: u16,
    /// Required of everyone if there is one; the server may then have any name.
    token: Option<String>,
}

impl Guard {
    /// The guard of a server that only this machine can reach, or of one that requires a token.
    pub fn new(port: u16, token: Option<String>) -> Guard {
        Guard { port, token }
    }

    /// The name of the server according to the request.
    pub fn host<'a>(&self, headers: &'a HeaderMap) -> Result<&'a str, Refusal> {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).ok_or(Refusal::Host)?;
        let is_allowed = if self.token.is_some() {
            let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]_".contains(&byte);
            !host.is_empty() && host.bytes().all(is_usual)
        } else {
            self.is_local(host)
        };
        if is_allowed { Ok(host) } else { Err(Refusal::Host) }
    }

    /// Whether this is how a browser on the same machine calls the server.
    pub fn is_local(&self, host: &str) -> bool {
        // Browsers leave out the default port of HTTP.
        ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| {
            host.strip_prefix(name).is_some_and(|rest| match rest.strip_prefix(':') {
                Some(port) => port == self.port.to_string(),
                None => rest.is_empty() && self.port == 80,
            })
        })
    }

    /// Checks the token where one is required.
    pub fn pass(&self, headers: &HeaderMap, uri: &Uri) -> Result<Pass, Refusal> {
        let Some(token) = &self.token else { return Ok(Pass::Known) };
        let query = uri.query().unwrap_or_default();
        let mut values = query.split('&').filter_map(|pair| pair.strip_prefix(TOKEN_PARAMETER));
        if values.any(|value| is_same(value, token)) {
            return Ok(Pass::New);
        }
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let is_known = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().strip_prefix(&name)?.strip_prefix('='))
            .any(|value| is_same(value, token));
        if is_known { Ok(Pass::Known) } else { Err(Refusal::Token) }
    }

    /// Checks that the page that asks comes from this server.
    pub fn origin(&self, headers: &HeaderMap, host: &str) -> Result<(), Refusal> {
        let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok()).ok_or(Refusal::Origin)?;
        // `https` if somebody has put a proxy with TLS in front of this server.
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if name == Some(host) { Ok(()) } else { Err(Refusal::Origin) }
    }

    /// The cookie that a browser should keep; `None` without a token.
    pub fn cookie(&self) -> Option<String> {
        let token = self.token.as_ref()?;
        // Not `Strict`, with which whoever follows the link from another site would be refused after the redirection. A
        // page of another site gets nothing by it: what it may load are the files of the page, and sockets must have
        // the origin of this server.
        Some(format!("{}={token}; Path=/; HttpOnly; SameSite=Lax", self.cookie_name()))
    }

    /// The name contains the port, because cookies do not distinguish ports and there may be several servers.
    fn cookie_name(&self) -> String {
        format!("kagetsu-{}", self.port)
    }
}

/// The headers of every answer.
pub(super) fn headers(host: Option<&str>) -> Vec<(HeaderName, HeaderValue)> {
    let sockets = host.map(|host| format!(" ws://{host} wss://{host}")).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'{sockets}; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    let policy = HeaderValue::from_str(&policy);
    vec![
        (CONTENT_SECURITY_POLICY, policy.unwrap_or(HeaderValue::from_static("default-src 'none'"))),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ]
}

/// A token that nobody can guess; `None` if the system has no random numbers.
pub(super) fn random_token() -> Option<String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).ok()?;
    Some(hex(&bytes))
}

/// Whether two texts are equal, compared in a time that does not reveal how much of them matches.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| black_box(all | (a ^ b)));
    one.len() == other.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn only_this_machine_is_named() {
        let guard = Guard::new(8080, None);
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            assert_eq!(guard.host(&with(HOST, host)), Ok(host));
        }
        for host in
            ["", "localhost", "localhost:80", "evil.example:8080", "localhost.evil.example:8080", "a:8080"]
        {
            assert_eq!(guard.host(&with(HOST, host)), Err(Refusal::Host), "{host}");
        }
        assert_eq!(guard.host(&HeaderMap::new()), Err(Refusal::Host));
        assert!(Guard::new(80, None).host(&with(HOST, "localhost")).is_ok());
        let open = Guard::new(8080, Some("t".to_owned()));
        assert!(open.host(&with(HOST, "board.example:8080")).is_ok());
        // The name is copied into a header.
        assert_eq!(open.host(&with(HOST, "a; script-src *")), Err(Refusal::Host));
    }

    #[test]
    fn other_pages_are_refused() {
        let guard = Guard::new(8080, None);
        let origin = |origin: &str| guard.origin(&with(ORIGIN, origin), "localhost:8080");
        assert_eq!(origin("http://localhost:8080"), Ok(()));
        assert_eq!(origin("https://localhost:8080"), Ok(()));
        for other in
            ["http://localhost:81", "http://evil.example", "null", "localhost:8080", "ftp://localhost:8080"]
        {
            assert_eq!(origin(other), Err(Refusal::Origin), "{other}");
        }
        assert_eq!(guard.origin(&HeaderMap::new(), "localhost:8080"), Err(Refusal::Origin));
    }

    #[test]
    fn the_token_is_demanded() {
        let token = random_token().unwrap();
        assert_ne!(Some(&token), random_token().as_ref());
        let guard = Guard::new(8080, Some(token.clone()));
        let pass = |headers: &HeaderMap, path: &str| guard.pass(headers, &path.parse().unwrap());
        let none = HeaderMap::new();
        assert_eq!(pass(&none, &format!("/?token={token}")), Ok(Pass::New));
        assert_eq!(pass(&none, &format!("/?a=b&token={token}")), Ok(Pass::New));
        for path in ["/", "/?token=", "/?token=x", &format!("/?token={token}0"), &format!("/?xtoken={token}")]
        {
            assert_eq!(pass(&none, path), Err(Refusal::Token), "{path}");
        }
        let cookie = guard.cookie().unwrap();
        let (cookie, _) = cookie.split_once(';').unwrap();
        assert_eq!(pass(&with(COOKIE, &format!("a=b; {cookie}; c=d")), "/"), Ok(Pass::Known));
        // Who follows the printed link again should not keep its address either.
        assert_eq!(pass(&with(COOKIE, cookie), &format!("/?token={token}")), Ok(Pass::New));
        assert_eq!(pass(&with(COOKIE, "kagetsu-8080=x"), "/"), Err(Refusal::Token));
        assert_eq!(Guard::new(8080, None).pass(&none, &"/".parse().unwrap()), Ok(Pass::Known));
    }
}
