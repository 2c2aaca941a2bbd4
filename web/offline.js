// A service worker: the board stays when the network goes. It stores every file of the page when it is first opened,
// and hands them out from then on. A build with other files is stored beside those of its forerunner, and takes over
// when no page of that is left, so that no page ever runs on files of two builds. What stands before this script is
// written by build.sh: BUILD, which is another for other files, and FILES.
/* global BUILD, FILES */
"use strict";

{
  const { scope } = self.registration;
  // Several boards may share an origin, and its stores.
  const OWN = "kagetsu " + scope + " ";
  const STORE = OWN + BUILD;
  // The page says which of the two engines this browser runs. The other one stays where it is.
  const engine = new URL(self.location).searchParams.get("engine");
  const wanted = FILES.filter((file) => !file.endsWith(".wasm") || file === engine);

  async function storeAll() {
    const store = await caches.open(STORE);
    // What the browser has kept of an older build is no file of this one.
    await store.addAll(wanted.map((file) => new Request(new URL(file, scope), { cache: "no-cache" })));
  }

  async function dropForerunners() {
    const names = await caches.keys();
    await Promise.all(
      names.filter((name) => name.startsWith(OWN) && name !== STORE).map((name) => caches.delete(name)),
    );
  }

  async function answer(request) {
    const store = await caches.open(STORE);
    return (await store.match(request, { ignoreSearch: true })) || fetch(request);
  }

  self.addEventListener("install", (event) => event.waitUntil(storeAll()));
  self.addEventListener("activate", (event) => event.waitUntil(dropForerunners()));
  self.addEventListener("fetch", (event) => {
    if (event.request.method === "GET") event.respondWith(answer(event.request));
  });
}
