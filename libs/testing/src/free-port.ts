import { createServer } from 'node:net';

// Below the source ports that Linux and macOS use for outgoing connections. So a killed server finds its port free when it starts again, and a
// client that reconnects in a loop never connects to itself.
const LOWEST = 10_000;
const HIGHEST = 32_000;

/** A TCP port of the loopback address that no process listens on. Rejects if fifty ports in a row are taken. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error('No free port was found on 127.0.0.1.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
