// A service worker: the board stays when the network goes. It stores every file of the page when it is first opened,
// and hands them out from then on. A build with other files is stored beside those of its forerunner, and takes over
// when no page of that is left, so that no page ever runs on files of two builds. What stands before this script is
// written by build.sh: BUILD, which is another for other files, and FILES, each with its SHA-256.
/* global BUILD, FILES */
"use strict";

{
  const { scope } = self.registration;
  // Several boards may share an origin, and its stores.
  const OWN = "kagetsu " + scope + " ";
  const STORE = OWN + BUILD;
  // For a word of the server before the stored page is shown, in ms.
  const PATIENCE = 1000;
  // The page says which of the two engines this browser runs. The other one stays where it is.
  const engine = new URL(self.location).searchParams.get("engine");
  const wanted = FILES.filter(([name]) => !name.endsWith(".wasm") || name === engine);

  // A server that is just being updated, or that has files in several places, may hand out those of another build.
  async function fetched([name, sum]) {
    const url = new URL(name, scope);
    const answer = await fetch(url, { cache: "no-cache" });
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer()));
    const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (found !== sum) throw new Error(name + " is not of this build");
    return [url, answer];
  }

  async function storeAll() {
    const files = await Promise.all(wanted.map(fetched));
    const store = await caches.open(STORE);
    await Promise.all(files.map(([url, answer]) => store.put(url, answer)));
  }

  async function dropStores(isDropped) {
    const names = (await caches.keys()).filter((name) => name.startsWith(OWN));
    await Promise.all(names.filter(isDropped).map((name) => caches.delete(name)));
  }

  // Whether the board was taken away, or something else is served in its place. Without a network nobody knows.
  async function isGone() {
    const question = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) };
    const said = await fetch(self.location.href, question).catch(() => null);
    if (said?.status === 200) return !/javascript/.test(said.headers.get("content-type"));
    return said?.status === 404 || said?.status === 410;
  }

  async function answer(request) {
    // What is stored must not be shown for ever.
    if (request.mode === "navigate" && (await isGone())) {
      await Promise.all([dropStores(() => true), self.registration.unregister()]);
      return fetch(request);
    }
    const url = new URL(request.url);
    // The page has two names, and is stored by that of its folder.
    const isIndex = url.origin + url.pathname === scope + "index.html";
    const found = await caches.match(isIndex ? scope : request, { cacheName: STORE, ignoreSearch: true });
    return found || fetch(request);
  }

  self.addEventListener("install", (event) => event.waitUntil(storeAll()));
  self.addEventListener("activate", (event) => event.waitUntil(dropStores((name) => name !== STORE)));
  self.addEventListener("fetch", (event) => {
    if (event.request.method === "GET") event.respondWith(answer(event.request));
  });
}
