// A worker thread that repeats a small request on its own connection and records the time of each answer. The rest of the program does
// not delay a thread.
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { port, path, token } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { authorization: `Bearer ${token}` };
let waits = [];
const stopping = new AbortController();

function ask() {
  return new Promise((resolve) => {
    const begun = Date.now();
    const from = performance.now();
    const done = (status) => resolve({ begun, millis: performance.now() - from, status });
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode));
    });
    sent.on('error', () => done(null)).end();
  });
}

parentPort.on('message', (what) => {
  if (what === 'stop') stopping.abort();
  else {
    parentPort.postMessage(waits);
    waits = [];
  }
});

while (!stopping.signal.aborted) {
  waits.push(await ask());
  await new Promise((resolve) => setTimeout(resolve, 3));
}
agent.destroy();
parentPort.close();
