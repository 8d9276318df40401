import { describe, expect, it } from '@jest/globals';
import { composeMail, messageIdOf } from '../src/adapters/mail/composed-mail.ts';
import { type Addressed, Smtp } from '../src/adapters/mail/smtp.ts';
import { serve, servers } from './smtp-servers.ts';

const from = 'Parlance <no-reply@example.org>';
const mail = (changes: Partial<Addressed> = {}): Addressed => ({
  ...composeMail('password_changed', 'de', 'Ann', null),
  messageId: messageIdOf('m1', from),
  from,
  to: 'ann@example.org',
  ...changes,
});
const answer = (responseCode: number) => Object.assign(new Error('No ann@example.org here'), { responseCode });

describe('sending a mail', () => {
  it('sends text and HTML, with the same Message-ID each time', async () => {
    const { url, received } = await serve();
    const smtp = new Smtp(url);
    expect(await smtp.send(mail())).toEqual({ outcome: 'accepted', status: 250 });
    await smtp.send(mail());
    const ids = received.map((text) => /^Message-ID: (.*)\r$/im.exec(text)?.[1]);
    expect(ids).toEqual([messageIdOf('m1', from), messageIdOf('m1', from)]);
    expect(received[0]).toMatch(/text\/plain[^]*text\/html/);
  });
  it('sends to one recipient, and adds no header, whatever the address and the subject contain', async () => {
    const { url, received, recipients } = await serve();
    await new Smtp(url).send(mail({ to: 'ann@example.org,eve@example.org', subject: 'Hi\r\nBcc: eve@example.org' }));
    await new Smtp(url).send(mail({ to: 'ann@example.org\r\nBcc: eve@example.org' }));
    expect(recipients.flat()).not.toContain('eve@example.org');
    expect(received.join('')).not.toMatch(/^Bcc:/im);
  });
  it('fails permanently when the server answers 5xx to the recipient or the text', async () => {
    const recipient = await serve({ onRcptTo: (_, __, done) => done(answer(550)) });
    expect(await new Smtp(recipient.url).send(mail())).toEqual({ outcome: 'refused', status: 550 });
    const text = await serve({ onData: (stream, _, done) => void stream.resume().on('end', () => done(answer(554))) });
    expect(await new Smtp(text.url).send(mail())).toEqual({ outcome: 'refused', status: 554 });
  });
  it('may succeed later when the server answers 4xx', async () => {
    const { url } = await serve({ onRcptTo: (_, __, done) => done(answer(451)) });
    expect(await new Smtp(url).send(mail())).toEqual({ outcome: 'unavailable', status: 451 });
  });
  it('may succeed later when the server refuses the sender or the credentials', async () => {
    const sender = await serve({ onMailFrom: (_, __, done) => done(answer(550)) });
    expect(await new Smtp(sender.url).send(mail())).toEqual({ outcome: 'unavailable', status: 550 });
    const account = await serve({ onAuth: (_, __, done) => done(answer(535)) }, 'smtp://user:wrong@');
    expect(await new Smtp(account.url).send(mail())).toEqual({ outcome: 'unavailable', status: 535 });
  });
  it('may succeed later when the server drops the connection, or there is none', async () => {
    const { url } = await serve({ onData: (stream) => void stream.resume().on('end', () => dropAll()) });
    const dropAll = () => servers.forEach(({ connections }) => connections.forEach((each) => each.close()));
    expect(await new Smtp(url).send(mail())).toMatchObject({ outcome: 'unavailable' });
    expect(await new Smtp('smtp://127.0.0.1:1').send(mail())).toEqual({ outcome: 'unavailable', status: null });
  });
  it('may succeed later when the server is silent, or too slow overall', async () => {
    const { url } = await serve({ onMailFrom: () => undefined });
    expect(await new Smtp(url, 50).send(mail())).toMatchObject({ outcome: 'unavailable' });
    expect(await new Smtp(url, 5_000, 50).send(mail())).toEqual({ outcome: 'unavailable', status: null });
  });
});
