import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export const servers: SMTPServer[] = [];
afterAll(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
});

/** A real SMTP server. `received` has the texts of the accepted mails, and `recipients` the recipients of each. */
export async function serve(options: SMTPServerOptions = {}, scheme = 'smtp://') {
  const received: string[] = [];
  const recipients: string[][] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 10,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        received.push(Buffer.concat(parts).toString());
        recipients.push(session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return { received, recipients, url: `${scheme}127.0.0.1:${port}` };
}
