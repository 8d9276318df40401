import { Mails } from '../src/workflows/mail/mails.ts';
import { identityUnderTest } from './people.ts';
import { serve } from './smtp-servers.ts';

/** Identity with a real SMTP server. Mails are sent when the test starts a round. */
export async function identityWithMail(settings: Readonly<Record<string, string>> = {}) {
  const server = await serve();
  const mail = { PARLANCE_SMTP_URL: server.url, PARLANCE_MAIL_FROM: 'no-reply@example.org' };
  const identity = await identityUnderTest({ ...mail, ...settings }, { schedule: [] });
  return {
    identity,
    server,
    mails: identity.app.get(Mails),
    /** The subjects of the received mails, in order. */
    subjects: () => server.received.map((text) => /^Subject: (.*)\r$/im.exec(text)?.[1]),
    messageIds: () => server.received.map((text) => /^Message-ID: (.*)\r$/im.exec(text)?.[1]),
    /** The tokens in the links to a page of the console. */
    tokens: (page: string) =>
      server.received.flatMap((text) => {
        const [, token] = new RegExp(`/app/${page}#([\\w.-]{70})`).exec(text.replaceAll('=\r\n', '').replaceAll('=3D', '=')) ?? [];
        return token ?? [];
      }),
  };
}

export type IdentityWithMail = Awaited<ReturnType<typeof identityWithMail>>;
