import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Mailbox {
  readonly url: string;
  /** The texts of the mails that were received, without the line ends of their encoding. */
  readonly mails: readonly string[];
  stop(): Promise<void>;
}

const END = '\r\n.\r\n';

/** A mail server that accepts all mails. */
export async function mailbox(): Promise<Mailbox> {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    let [text, isMail] = ['', false];
    socket.write('220 mailbox\r\n');
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (let end; (end = text.indexOf(isMail ? END : '\r\n')) >= 0;) {
        const part = text.slice(0, end);
        text = text.slice(end + (isMail ? END : '\r\n').length);
        if (isMail) mails.push(part.replaceAll('=\r\n', '').replaceAll('=3D', '='));
        isMail = !isMail && /^DATA$/i.test(part);
        socket.write(isMail ? '354 Go on\r\n' : /^QUIT$/i.test(part) ? '221 Bye\r\n' : '250 OK\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
