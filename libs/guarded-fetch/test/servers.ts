import { createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';

export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  stop(): Promise<void>;
}

/** An HTTP server on one loopback address. */
export async function serve(listener: RequestListener, host = '127.0.0.9'): Promise<TestServer> {
  return started(createServer(listener), host, 0);
}

export async function started(server: HttpServer, host: string, port: number): Promise<TestServer> {
  await listening(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  return {
    host,
    port: bound,
    origin: `http://${host}:${bound}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Canaries {
  readonly port: number;
  connections(): number;
  stop(): Promise<void>;
}

/** Listeners on loopback addresses that no fetch may reach. All use the same port. */
export async function canaries(): Promise<Canaries> {
  let connections = 0;
  const servers: Server[] = [];
  const listener = async (host: string, port: number) => {
    const server = createSocketServer((socket) => {
      connections++;
      socket.destroy();
    });
    await listening(server, host, port);
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  const port = await listener('127.0.0.1', 0);
  await listener('127.0.0.2', port);
  // Some machines have no IPv6.
  await listener('::1', port).catch(() => {});
  return {
    port,
    connections: () => connections,
    async stop() {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
