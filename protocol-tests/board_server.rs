//! `kagetsu board` as a page meets it: the program is started, and spoken to over HTTP and its WebSocket.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::error::Error;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

/// How long a test waits for what has no deadline of its own.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server. Killed when dropped.
struct Server {
    child: Child,
    /// As it was printed.
    address: String,
}

impl Server {
    fn start() -> Server {
        Server::start_with(&[])
    }

    fn start_with(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kagetsu"))
            .args(["board", "--no-open", "--memory", "64", "--threads", "2"])
            // Tests run beside each other.
            .args(if arguments.contains(&"--port") { &[][..] } else { &["--port", "0"] })
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut address = String::new();
        let output = child.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut address).expect("it prints its address");
        Server { child, address: address.trim().to_owned() }
    }

    /// `127.0.0.1:8080`.
    fn host(&self) -> &str {
        self.address.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address")
    }

    fn local(&self) -> SocketAddr {
        let port = self.host().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    fn stream(&self) -> TcpStream {
        let stream = TcpStream::connect(self.local()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("time can be limited");
        stream
    }

    /// The answer to a request: all of its text.
    fn get(&self, path: &str, headers: &str) -> String {
        let mut stream = self.stream();
        let host =
            if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.host()) };
        write!(stream, "GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n")
            .expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it is answered");
        answer
    }

    fn page(&self) -> Page {
        self.try_page(&format!("http://{}", self.host()), self.host(), "/talk").expect("a page may talk")
    }

    /// Opens a WebSocket; the HTTP status if that is refused.
    fn try_page(&self, origin: &str, host: &str, path: &str) -> Result<Page, u16> {
        let mut request = format!("ws://{}{path}", self.host()).into_client_request().expect("a request");
        request.headers_mut().insert("Origin", HeaderValue::from_str(origin).expect("a header"));
        request.headers_mut().insert("Host", HeaderValue::from_str(host).expect("a header"));
        match tungstenite::client::client(request, self.stream()) {
            Ok((socket, _)) => Ok(Page { socket }),
            Err(tungstenite::HandshakeError::Failure(Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(error) => panic!("neither accepted nor refused: {error}"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Page {
    socket: WebSocket<TcpStream>,
}

impl Page {
    fn send(&mut self, message: &Value) {
        self.send_text(message.to_string());
    }

    fn send_text(&mut self, text: impl Into<String>) {
        self.socket.send(Message::text(text.into())).expect("it is sent");
    }

    fn receive(&mut self) -> Value {
        loop {
            match self.socket.read().expect("a frame comes") {
                Message::Text(text) => return serde_json::from_str(&text).expect("frames are JSON"),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("unexpected: {other:?}"),
            }
        }
    }

    /// The last frame with this number; others are passed over.
    fn last(&mut self, id: u64) -> Value {
        loop {
            let frame = self.receive();
            if frame["id"] == json!(id) && frame["done"] == json!(true) {
                return frame;
            }
        }
    }

    fn ask(&mut self, message: Value) -> Value {
        self.send(&message);
        self.last(message["id"].as_u64().expect("it has a number"))
    }

    /// Begins an analysis and waits for news of both of its lines.
    fn begin_analysis(&mut self, id: u64) {
        self.send(&json!({"id": id, "op": "analyse", "position": quiet(), "lines": 2}));
        loop {
            let news = self.receive();
            assert_eq!((&news["id"], &news["event"]), (&json!(id), &json!("line")), "{news}");
            if news["rank"] == json!(1) {
                break;
            }
        }
    }
}

fn quiet() -> Value {
    json!({"rule": "renju", "width": 15, "height": 15, "moves": [[7, 7], [8, 8], [6, 8]]})
}

#[test]
fn a_page_is_served_and_answered() {
    let server = Server::start();
    let answer = server.get("/", "");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let head = answer.to_lowercase();
    for header in [
        "content-type: text/html; charset=utf-8".to_owned(),
        "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'".to_owned(),
        format!("connect-src 'self' ws://{0} wss://{0};", server.host()),
        "frame-ancestors 'none'".to_owned(),
        "x-content-type-options: nosniff".to_owned(),
        "referrer-policy: no-referrer".to_owned(),
        "cache-control: no-cache".to_owned(),
    ] {
        assert!(head.contains(&header), "{header} is missing: {answer}");
    }
    for path in ["/nothing.js", "/../Cargo.toml", "/%2e%2e/Cargo.toml"] {
        assert!(server.get(path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
    assert!(server.get("/talk", &format!("Origin: http://{}\r\n", server.host())).starts_with("HTTP/1.1 4"));

    let mut page = server.page();
    let hello = page.ask(json!({"id": 1, "op": "hello"}));
    assert_eq!((&hello["name"], &hello["threads"]), (&json!("Kagetsu"), &json!(2)));
    let facts = page.ask(json!({"id": 2, "op": "position", "position": quiet()}));
    assert_eq!(facts["to_move"], "white");
    let found =
        page.ask(json!({"id": 3, "op": "think", "position": quiet(), "limits": {"ms": 100}, "threads": 2}));
    assert_eq!(found["stopped"], json!(false));
    assert!(found["move"].is_array());
}

#[test]
fn an_analysis_goes_on_until_it_is_stopped() {
    let server = Server::start();
    let mut page = server.page();
    page.begin_analysis(1);
    // Meanwhile everything else is answered.
    assert!(page.ask(json!({"id": 2, "op": "heat", "position": quiet()}))["points"].is_array());
    assert_eq!(page.ask(json!({"id": 3, "op": "stop", "target": 99})), json!({"id": 3, "done": true}));
    page.send(&json!({"id": 4, "op": "stop", "target": 1}));
    let last = page.last(1);
    assert_eq!((&last["stopped"], last["lines"].as_array().map(Vec::len)), (&json!(true), Some(2)), "{last}");
    // A new job ends the one before it.
    page.begin_analysis(5);
    page.send(&json!({"id": 6, "op": "solve", "position": quiet(), "space": "vcf"}));
    assert_eq!(page.last(5)["stopped"], json!(true));
    assert_eq!(page.last(6)["verdict"], "none");
}

#[test]
fn strangers_are_refused() {
    let server = Server::start();
    let (host, port) = (server.host(), server.local().port());
    let own = format!("http://{host}");
    for origin in ["http://evil.example", "null", &format!("http://localhost:{port}"), "http://127.0.0.1"] {
        assert_eq!(server.try_page(origin, host, "/talk").err(), Some(403), "{origin}");
    }
    for name in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "localhost:1"] {
        assert_eq!(server.try_page(&own, name, "/talk").err(), Some(403), "{name}");
        assert!(server.get("/", &format!("Host: {name}\r\n")).starts_with("HTTP/1.1 403"), "{name}");
    }
    let local = format!("localhost:{port}");
    assert!(server.try_page(&format!("http://{local}"), &local, "/talk").is_ok());
    assert!(server.get("/", &format!("Host: {local}\r\n")).starts_with("HTTP/1.1 200"));
}

#[test]
fn other_machines_need_the_token() {
    let server = Server::start_with(&["--listen", "0.0.0.0"]);
    let (_, token) = server.address.split_once("/?token=").expect("a token is printed");
    assert_eq!(token.len(), 32);
    let origin = format!("http://{}", server.host());
    assert_eq!(server.try_page(&origin, server.host(), "/talk").err(), Some(403));
    assert_eq!(server.try_page(&origin, server.host(), "/talk?token=x").err(), Some(403));
    assert!(server.get("/", "").starts_with("HTTP/1.1 403"));
    assert!(server.get("/?token=x", "").starts_with("HTTP/1.1 403"));
    let answer = server.get(&format!("/?token={token}"), "");
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    let cookie =
        answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("there is a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap_or_default();
    assert!(server.get("/", &format!("Cookie: {cookie}\r\n")).starts_with("HTTP/1.1 200"));
    // The origin counts all the same.
    let path = format!("/talk?token={token}");
    assert_eq!(server.try_page("http://evil.example", server.host(), &path).err(), Some(403));
    // Behind a proxy every page comes from this machine, so only a page that also calls it by a local name may end it.
    let local = format!("localhost:{}", server.local().port());
    for (host, may_end_it) in [(server.host(), false), (&local, true)] {
        let mut page = server.try_page(&format!("http://{host}"), host, &path).expect("it has the token");
        assert_eq!(page.ask(json!({"id": 1, "op": "hello"}))["can_shut_down"], json!(may_end_it), "{host}");
    }
}

#[test]
fn there_are_only_so_many_engines() {
    let server = Server::start();
    let mut pages: Vec<Page> = (0..4).map(|_| server.page()).collect();
    pages.iter_mut().for_each(|page| page.begin_analysis(1));
    let mut fifth = server.page();
    let ask = |page: &mut Page| {
        page.ask(json!({"id": 2, "op": "think", "position": quiet(), "limits": {"nodes": 1000}}))
    };
    assert_eq!(ask(&mut fifth)["error"]["code"], "busy");
    // It is answered all the same where no engine is needed.
    assert_eq!(fifth.ask(json!({"id": 3, "op": "position", "position": quiet()}))["to_move"], "white");
    // A page that leaves takes its search and its engine with it.
    drop(pages.pop());
    let start = Instant::now();
    while ask(&mut fifth)["move"].is_null() {
        assert!(start.elapsed() < PATIENCE, "the search of a page that is gone goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A page that only stands open keeps nobody from thinking, and thinks again when it is asked to.
#[test]
fn an_engine_without_work_goes_to_who_asks() {
    let server = Server::start();
    let mut pages: Vec<Page> = (0..6).map(|_| server.page()).collect();
    for round in 1..=2 {
        for page in &mut pages {
            let found =
                page.ask(json!({"id": round, "op": "think", "position": quiet(), "limits": {"nodes": 1000}}));
            assert!(found["move"].is_array(), "{found}");
        }
    }
}

/// Requests that no browser sends are refused, and the next one is answered.
#[test]
fn odd_requests_are_refused() {
    let server = Server::start();
    let status = |request: &str| {
        let mut stream = server.stream();
        // The server may close before it has read all of it.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        // Closed or reset, but not open.
        if let Err(error) = stream.read_to_end(&mut answer) {
            assert!(!matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "it is kept");
        }
        String::from_utf8_lossy(&answer).split(' ').nth(1).and_then(|status| status.parse::<u16>().ok())
    };
    let host = server.host();
    assert_eq!(status(&format!("POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n")), Some(405));
    assert_eq!(status("GET / HTTP/1.1\r\n\r\n"), Some(403));
    assert_eq!(status("rubbish\r\n\r\n"), Some(400));
    let long = "x".repeat(2 << 20);
    for request in [format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {long}\r\n\r\n"), format!("GET /{long}")] {
        assert!(status(&request).is_none_or(|status| (400..500).contains(&status)), "it is read");
    }
    assert!(server.get("/", "").starts_with("HTTP/1.1 200"));
}

#[test]
fn rubbish_is_answered_and_does_no_harm() {
    let server = Server::start();
    let mut page = server.page();
    page.send_text("rubbish");
    let refused = page.receive();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &json!("bad-request")));
    page.socket.send(Message::binary(vec![0, 1, 2])).expect("it is sent");
    assert_eq!(page.receive()["error"]["code"], "bad-request");
    assert_eq!(page.ask(json!({"id": 1, "op": "nope"}))["error"]["code"], "unknown-op");
    let text = "x".repeat(10 << 20);
    let read = page.ask(json!({"id": 2, "op": "read", "text": text, "width": 15, "height": 15}));
    assert_eq!(read["error"]["code"], "too-large");
    assert_eq!(page.ask(json!({"id": 3, "op": "hello"}))["name"], "Kagetsu");

    // More than a frame may hold ends the connection, and no other. Its beginning says how much it will be.
    let mut other = server.page();
    let length = 17_u64 << 20;
    let beginning = [&[0x81, 0xFF][..], &length.to_be_bytes(), &[0; 4]].concat();
    other.socket.get_mut().write_all(&beginning).expect("it is sent");
    match other.socket.read() {
        Ok(Message::Close(Some(frame))) => assert_eq!(frame.code, CloseCode::Size, "{frame}"),
        other => panic!("a frame of 17 MB is waited for: {other:?}"),
    }
    // Whoever is still sending by then may not hear why.
    let mut other = server.page();
    let sent = other.socket.send(Message::text("x".repeat(17 << 20)));
    match sent.and_then(|()| other.socket.read()) {
        Ok(Message::Close(Some(frame))) => assert_eq!(frame.code, CloseCode::Size, "{frame}"),
        Err(Error::Io(error)) => {
            use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
            assert!(matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset), "{error}");
        }
        other => panic!("a frame of 17 MB is taken: {other:?}"),
    }
    assert_eq!(page.ask(json!({"id": 4, "op": "hello"}))["name"], "Kagetsu");
}

#[test]
fn many_jobs_at_once_are_all_answered() {
    let server = Server::start();
    let mut page = server.page();
    for id in 1..=200 {
        page.send(&json!({"id": id, "op": "analyse", "position": quiet(), "lines": 1}));
    }
    page.send(&json!({"id": 201, "op": "stop", "target": 200}));
    let mut open: Vec<u64> = (1..=201).collect();
    while !open.is_empty() {
        let frame = page.receive();
        if frame["done"] == json!(true) {
            open.retain(|&id| frame["id"] != json!(id));
        }
    }
}

/// Kagetsu, which may hardly search, plays White against somebody who searches more and always plays the same. Returns
/// the moves, and whether Kagetsu has lost.
fn game_against_a_better_one(server: &Server) -> (Vec<Value>, bool) {
    let (mut weak, mut strong) = (server.page(), server.page());
    let mut moves = vec![json!([7, 7]), json!([8, 8]), json!([7, 9])];
    for id in 1.. {
        let is_own = moves.len() % 2 == 1;
        let (page, nodes) = if is_own { (&mut weak, 60) } else { (&mut strong, 3000) };
        let position = json!({"rule": "freestyle", "width": 15, "height": 15, "moves": moves});
        let facts = page.ask(json!({"id": 1000 + id, "op": "position", "position": position}));
        if facts["verdict"]["kind"] != "ongoing" {
            return (moves, facts["verdict"]["winner"] == "black");
        }
        let limits = json!({"nodes": nodes});
        let found = page
            .ask(json!({"id": id, "op": "think", "position": position, "limits": limits, "learn": is_own}));
        moves.push(found["move"].clone());
    }
    unreachable!("a board is full some day")
}

#[test]
fn no_game_is_lost_twice() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("losses.txt").to_string_lossy().into_owned();
    let mut server = Server::start_with(&["--experience-file", &file]);
    assert_eq!(server.page().ask(json!({"id": 1, "op": "hello"}))["experience"], json!(true));
    let mut lost: Vec<Vec<Value>> = Vec::new();
    for round in 0..4 {
        // What was learned outlives the program.
        if round == 2 {
            drop(server);
            server = Server::start_with(&["--experience-file", &file]);
        }
        let (moves, is_lost) = game_against_a_better_one(&server);
        assert!(!lost.contains(&moves), "the same loss again in round {round}");
        if is_lost {
            lost.push(moves);
        }
    }
    assert!(!lost.is_empty(), "the opponent is too weak for this test");
    let lessons = std::fs::read_to_string(&file).expect("there is a file").lines().count() - 1;
    assert!(lessons >= lost.len(), "{lessons} lessons");
}

#[test]
fn a_file_that_holds_something_else_is_told_at_once() {
    let folder = tempfile::TempDir::with_prefix("kagetsu-board-foreign").expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let letters = path("letters.txt");
    std::fs::write(&letters, "my letters\n").expect("it can be written");
    let program = env!("CARGO_BIN_EXE_kagetsu");
    for (file, said) in [
        (&letters, "`my letters` does not begin with"),
        (&path("."), "kagetsu-board-foreign"),
        // Nothing is made of a name that was mistyped.
        (&path("none/losses.txt"), "no such folder"),
    ] {
        let arguments = ["board", "--no-open", "--port", "0", "--experience-file", file];
        let ended = Command::new(program).args(arguments).output().expect("the program starts");
        let told = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), ended.stdout.len()), (Some(1), 0), "{told}");
        assert!(told.contains(said), "{told}");
    }
    assert_eq!(std::fs::read_to_string(&letters).expect("it is there"), "my letters\n");
}

/// Files in a folder stand in for those of the program, and nothing above the folder does.
#[test]
fn the_page_can_be_worked_on() {
    let root = tempfile::tempdir().expect("a folder can be made");
    let folder = root.path().join("gui/page");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::create_dir_all(folder.join("../../page")).expect("a folder can be made");
    std::fs::write(folder.join("index.html"), "<p>work").expect("it can be written");
    std::fs::write(folder.join("../../page/shared.js"), "shared").expect("it can be written");
    std::fs::write(folder.join("../secret.js"), "secret").expect("it can be written");
    let server = Server::start_with(&["--assets", &folder.to_string_lossy()]);
    assert!(server.get("/", "").ends_with("<p>work"));
    assert!(server.get("/page/shared.js", "").ends_with("shared"));
    for path in ["/../secret.js", "/..%2fsecret.js", "//secret.js", "/x/../../secret.js"] {
        assert!(server.get(path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[test]
fn the_page_can_end_the_server() {
    let mut server = Server::start();
    let mut page = server.page();
    page.begin_analysis(1);
    page.send(&json!({"id": 2, "op": "shut-down"}));
    assert!(page.last(2)["error"].is_null());
    let start = Instant::now();
    while server.child.try_wait().expect("it can be waited for").is_none() {
        assert!(start.elapsed() < PATIENCE, "the server goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    let refused = TcpStream::connect(server.local()).expect_err("nobody listens");
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
}
