import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BreakingProxy {
  readonly url: string;
  /**
   * Closes all connections. Each of the next ones breaks after this many bytes of answers. Later connections do not break.
   */
  breakAfter(...bytes: number[]): void;
  /** The limits of the next connections. */
  readonly cuts: readonly number[];
  /** Bytes of answers that were forwarded. */
  passed(): number;
  stop(): Promise<void>;
}

/** A proxy to a server that can break connections. */
export async function breakingProxy(url: string): Promise<BreakingProxy> {
  const cuts: number[] = [];
  let bytes = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    let remaining = cuts.shift() ?? Number.POSITIVE_INFINITY;
    const upstream = connect(Number(new URL(url).port), new URL(url).hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const passed = chunk.subarray(0, remaining);
      remaining -= passed.length;
      bytes += passed.length;
      client.write(passed, () => remaining <= 0 && client.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts,
    passed: () => bytes,
    breakAfter(...after) {
      for (const socket of sockets) socket.destroy();
      cuts.splice(0, cuts.length, ...after);
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
