//! A server in this process, with short timeouts: what takes minutes in real use is over in a second.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

use super::*;

/// How long a test waits for what should come soon.
const SOON: Duration = Duration::from_secs(30);

const HASTE: Timeouts = Timeouts {
    with_answers: Duration::from_millis(500),
    between_pings: Duration::from_millis(200),
    with_engines: Duration::from_millis(300),
};

/// For pages that are to stay: on a busy machine a test may not answer a ping for a while.
const PATIENT: Timeouts = Timeouts { with_answers: SOON, between_pings: Duration::from_secs(1), ..HASTE };

fn options(port: Option<u16>, timeouts: Timeouts) -> ServerOptions {
    let memory = 64 << 20;
    ServerOptions {
        listen: None,
        port,
        memory,
        threads: 1,
        assets: None,
        library: None,
        learner: None,
        timeouts,
    }
}

/// Starts a server and returns its port.
fn start(timeouts: Timeouts) -> u16 {
    let server = Server::bind(options(Some(0), timeouts)).unwrap();
    let port = server.listener.local_addr().unwrap().port();
    // It ends with the process.
    thread::spawn(|| server.run());
    port
}

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.set_read_timeout(Some(SOON)).unwrap();
    stream
}

/// Opens a page, or returns the status if it is refused.
fn page(port: u16) -> Result<WebSocket<TcpStream>, u16> {
    let mut request = format!("ws://127.0.0.1:{port}/talk").into_client_request().unwrap();
    let origin = HeaderValue::from_str(&format!("http://127.0.0.1:{port}")).unwrap();
    request.headers_mut().insert("Origin", origin);
    match tungstenite::client::client(request, connect(port)) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
            Err(answer.status().as_u16())
        }
        Err(error) => panic!("neither accepted nor refused: {error}"),
    }
}

/// The last frame that answers a message.
fn ask(page: &mut WebSocket<TcpStream>, message: &Value) -> Value {
    page.send(Message::text(message.to_string())).unwrap();
    loop {
        let Message::Text(text) = page.read().unwrap() else { continue };
        let frame: Value = serde_json::from_str(&text).unwrap();
        if frame["id"] == message["id"] && frame["done"] == json!(true) {
            return frame;
        }
    }
}

/// Waits until something holds, but not for ever.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < SOON, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_port_is_the_usual_one_unless_it_is_taken() {
    let held = TcpListener::bind((Ipv4Addr::LOCALHOST, USUAL_PORT));
    let server = Server::bind(options(None, HASTE)).unwrap();
    // Another process may have the port, and then it is taken as well.
    assert!(server.is_elsewhere());
    assert!(!server.address().contains(&USUAL_PORT.to_string()));
    if let Ok(held) = held {
        drop(held);
        let server = Server::bind(options(None, HASTE)).unwrap();
        assert_eq!(server.address(), format!("http://127.0.0.1:{USUAL_PORT}/"));
        assert!(!server.is_elsewhere());
        // A port that was asked for is not replaced by another.
        assert!(Server::bind(options(Some(USUAL_PORT), HASTE)).is_err());
    }
}

/// A page that answers pings stays; one that does not is given up meanwhile, and its search with it.
#[test]
fn a_page_that_is_silent_is_given_up() {
    let server = Server::bind(options(Some(0), PATIENT)).unwrap();
    let port = server.listener.local_addr().unwrap().port();
    let shared = server.state.shared.clone();
    thread::spawn(|| server.run());
    let free = || shared.pages.available_permits();
    let all = free();
    let mut silent = page(port).unwrap();
    let analysis = json!({"id": 1, "op": "analyse", "lines": 1,
        "position": {"rule": "renju", "width": 15, "height": 15, "moves": [[7, 7], [8, 8], [6, 8]]}});
    silent.send(Message::text(analysis.to_string())).unwrap();
    wait_until("the page is not there", || free() == all - 1);

    let mut awake = page(port).unwrap();
    let mut pings = 0;
    // More than a page may leave unanswered.
    while pings < 4 {
        // Reading answers the pings.
        pings += usize::from(matches!(awake.read().unwrap(), Message::Ping(_)));
    }
    wait_until("the silent page is kept", || free() == all - 1);
    assert_eq!(ask(&mut awake, &json!({"id": 1, "op": "hello"}))["name"], "Kagetsu");
}

#[test]
fn an_engine_that_rests_is_given_back_and_comes_again() {
    let server = Server::bind(options(Some(0), PATIENT)).unwrap();
    let port = server.listener.local_addr().unwrap().port();
    let engines = server.state.shared.engines.clone();
    thread::spawn(|| server.run());
    let mut page = page(port).unwrap();
    let think = |id: u64| {
        json!({"id": id, "op": "think", "limits": {"nodes": 1000},
            "position": {"rule": "renju", "width": 15, "height": 15, "moves": [[7, 7], [8, 8]]}})
    };
    for id in 1..=2 {
        let begun = Instant::now();
        assert!(ask(&mut page, &think(id))["move"].is_array());
        // On a busy machine it may have rested long enough by now.
        assert!(
            engines.count() == 1 || begun.elapsed() > PATIENT.with_engines,
            "the engine is given back at once"
        );
        let begun = Instant::now();
        while engines.count() > 0 {
            assert!(begun.elapsed() < SOON, "the engine is kept");
            // Reading the ping answers it, so the page stays connected.
            assert!(matches!(page.read().unwrap(), Message::Ping(_)));
        }
    }
}

#[test]
fn there_are_only_so_many_pages() {
    let port = start(Timeouts::default());
    let mut pages = Vec::new();
    let refused = loop {
        match page(port) {
            Ok(page) => pages.push(page),
            Err(status) => break status,
        }
        assert!(pages.len() <= 1000, "there is no end of pages");
    };
    assert_eq!((refused, pages.len()), (503, 32));
    assert_eq!(ask(&mut pages[0], &json!({"id": 1, "op": "hello"}))["name"], "Kagetsu");
    drop(pages.pop());
    wait_until("the permit of a page that left is not released", || page(port).is_ok());
}

/// A client that sends half a request, or does not take the answer, is dropped. Others are answered meanwhile and
/// afterwards.
#[test]
fn slow_requests_break_off() {
    let port = start(HASTE);
    let mut slow: Vec<TcpStream> = (0..80).map(|_| connect(port)).collect();
    for stream in &mut slow {
        // Those that had to wait for a permit may have been given up by then.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
    }
    let mut quick = connect(port);
    write!(quick, "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").unwrap();
    let mut text = String::new();
    quick.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    for mut stream in slow {
        let mut rest = Vec::new();
        // Closed or reset, but not open.
        if let Err(error) = stream.read_to_end(&mut rest) {
            assert!(!matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "it is kept");
        }
    }
}

/// A page that asks and asks but takes no answer is given up when nothing more can be sent.
#[test]
fn a_page_that_takes_no_answers_is_given_up() {
    let server = Server::bind(options(Some(0), Timeouts { between_pings: SOON, ..HASTE })).unwrap();
    let port = server.listener.local_addr().unwrap().port();
    let shared = server.state.shared.clone();
    thread::spawn(|| server.run());
    let mut page = page(port).unwrap();
    page.get_mut().set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    let all = shared.pages.available_permits() + 1;
    // Short questions with long answers.
    let text = format!("(;GM[4]{})", "(;B[aa])".repeat(20_000));
    let question = json!({"id": 1, "op": "read", "text": text, "width": 15, "height": 15});
    let question = question.to_string();
    wait_until("it is kept", || {
        let _ = page.send(Message::text(question.clone()));
        shared.pages.available_permits() == all
    });
}
