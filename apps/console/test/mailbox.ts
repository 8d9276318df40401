import { type AddressInfo, createServer } from 'node:net';
import { shared } from '@parlance/testing';
import { type ConsoleWorld, consoleWorld } from './console-world.ts';

interface Mailbox {
  readonly url: string;
  readonly mails: readonly string[];
}

/** A console world whose product sends e-mail. */
export interface MailWorld extends ConsoleWorld {
  /** The messages to an address, without the soft line breaks of quoted-printable. */
  mailsTo(email: string): readonly string[];
}

/** One mail server for all spec files in this process, and a product from `consoleWorld` that uses it. */
export async function mailWorld(...[settings, options]: Parameters<typeof consoleWorld>): Promise<MailWorld> {
  const { url, mails } = await shared('mailbox', mailbox);
  const world = await consoleWorld({ PARLANCE_SMTP_URL: url, PARLANCE_MAIL_FROM: 'no-reply@example.org', ...settings }, options);
  return { ...world, mailsTo: (email) => mails.filter((mail) => mail.includes(`To: ${email}`)) };
}

const END = '\r\n.\r\n';

/** A mail server that accepts every message. It does not keep the process running. */
async function mailbox(): Promise<Mailbox> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy()).unref();
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
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, mails };
}
