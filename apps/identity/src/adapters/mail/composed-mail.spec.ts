import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../domain/language.ts';
import { isNotification, MAIL_KINDS } from '../../domain/mail/outgoing-mail.ts';
import { composeMail, messageIdOf } from './composed-mail.ts';

const link = 'https://chat.example.org/app/reset?a=1&b=2';

describe('a mail', () => {
  it('has the link in its text and its HTML', () => {
    for (const language of LANGUAGES) {
      const { text, html } = composeMail('password_reset', language, 'Ann', link);
      expect(text).toMatch(/[:：]\n/);
      expect(text).toContain(`\n${link}\n`);
      expect(html).toContain('href="https://chat.example.org/app/reset?a=1&amp;b=2"');
    }
  });
  it('is written in each language, and has the name of its reader', () => {
    for (const kind of MAIL_KINDS) {
      const mails = LANGUAGES.map((language) => composeMail(kind, language, 'Ann', null));
      expect(new Set(mails.map(({ subject }) => subject)).size).toBe(LANGUAGES.length);
      for (const { text } of mails) expect(text).toContain('Ann');
    }
  });
  it('has a greeting without a name too', () => {
    for (const language of LANGUAGES)
      expect(composeMail('invitation', language, '', null).text.split('\n')[0]).toMatch(/^[\p{L} ]+[,:：。.]$/u);
  });
  it('says why its reader gets it if the reader has chosen such mails, and not otherwise', () => {
    for (const language of LANGUAGES)
      for (const kind of MAIL_KINDS) {
        const { text, html } = composeMail(kind, language, '', link);
        expect(text.endsWith(`${link}\n`)).toBe(!isNotification(kind));
        expect(html.endsWith('</a></p></body></html>')).toBe(!isNotification(kind));
      }
  });
  it('says what each link does', () => {
    const withLinks = MAIL_KINDS.filter((kind) => isNotification(kind) || /verification|invitation|password_reset|export/.test(kind));
    for (const language of LANGUAGES)
      for (const kind of withLinks) expect(composeMail(kind, language, '', link).html).toMatch(/<a [^>]+>[^<]/);
  });
  it('shows no markup and no lines of a name', () => {
    const { text, html } = composeMail('invitation', 'en', '<img src=x>\r\nBcc: eve@example.org', null);
    expect(html).not.toContain('<img');
    expect(text.split('\n')[0]).toBe('Hello <img src=x> Bcc: eve@example.org,');
  });
});

describe('a name that changes the direction of text', () => {
  it('reaches neither the text nor the HTML of a mail', () => {
    const { text, html } = composeMail('password_changed', 'en', 'Ann\u202e\u2066\u200f', null);
    expect(text.split('\n')[0]).toBe('Hello Ann,');
    expect(/\p{Bidi_Control}/u.test(text + html)).toBe(false);
  });
});

describe('a Message-ID', () => {
  it('is the same for each try, differs between mails, and has the domain of the sender', () => {
    const from = 'Parlance <no-reply@example.org>';
    expect(messageIdOf('m1', from)).toMatch(/^<[0-9a-f]{40}@example\.org>$/);
    expect(messageIdOf('m1', from)).toBe(messageIdOf('m1', from));
    expect(messageIdOf('m1', from)).not.toBe(messageIdOf('m2', from));
  });
});
