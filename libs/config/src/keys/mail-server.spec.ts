import { describe, expect, it } from '@jest/globals';
import { complaint, load } from '../../test/load.ts';

const mailFrom = 'Parlance <no-reply@example.org>';

describe('the mail server', () => {
  it.each([
    'smtp://relay.example.org:25',
    'smtps://user:word@mail.example.org',
    'smtp://user:word@mail.example.org:587?requireTLS=true',
    'smtp://user:word@mail.example.org:587/?requireTLS=true',
  ])('may be %s', (smtpUrl) => {
    expect(load({ smtpUrl, mailFrom }).smtpUrl).toBe(smtpUrl);
  });
  it.each([
    ['credentials would be sent in clear text', 'smtp://user:canary@mail.example.org'],
    ['it has only a user name', 'smtp://canary@mail.example.org'],
    ['its certificate would not be checked', 'smtps://user:canary@mail.example.org?tls.rejectUnauthorized=false'],
    ['encryption would be left to the server', 'smtp://user:canary@mail.example.org?requireTLS=false'],
    ['it has another protocol', 'https://user:canary@mail.example.org'],
    ['it names no host', 'smtps://'],
  ])('is refused if %s, and is not shown', (_, smtpUrl) => {
    const message = complaint({ smtpUrl, mailFrom });
    expect(message).toContain('smtpUrl');
    expect(message).not.toContain('canary');
  });
  it('needs a sender', () => {
    expect(complaint({ smtpUrl: 'smtps://mail.example.org' })).toContain('mailFrom');
    expect(load({ mailFrom: 'no-reply@example.org', mailLanguage: 'de' })).toMatchObject({ smtpUrl: null, mailLanguage: 'de' });
  });
  it.each(['nobody', 'A <b@example.org>, C <d@example.org>', 'A\r\nBcc: <b@example.org>'])('refuses the sender %j', (sender) => {
    expect(complaint({ smtpUrl: 'smtps://mail.example.org', mailFrom: sender })).toContain('mailFrom');
  });
});
