import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownNotification } from './browser-notifications.ts';

// An open channel would keep Node running.
Reflect.deleteProperty(globalThis, 'BroadcastChannel');
const { sessionEnded, sessionIsOf } = await import('../../session/session-state.ts');
const { showNew } = await import('./browser-notifications.ts');

let shown: string[] = [];
class Shown {
  static readonly permission = 'granted';
  constructor(title: string) {
    shown.push(title);
  }
}
const page = { hidden: true };
Object.assign(globalThis, { Notification: Shown, document: page });
afterAll(() => {
  for (const name of ['Notification', 'document']) Reflect.deleteProperty(globalThis, name);
});

const unread = (title: string): ShownNotification => ({ id: title, title, text: '', unread: true });
const [old, bot, prompt] = [unread('old'), unread('bot'), unread('prompt')];

describe('the notifications of the browser', () => {
  beforeEach(() => {
    sessionEnded();
    sessionIsOf('ann');
    [shown, page.hidden] = [[], true];
  });

  it('are about what is new since the page was opened, once', () => {
    showNew([old]);
    showNew([bot, old]);
    showNew([bot, old]);
    expect(shown).toEqual(['bot']);
  });
  it('are not repeated when one was missing from the list for a while', () => {
    showNew([old]);
    showNew([bot, old]);
    showNew([]);
    showNew([prompt, bot, old]);
    expect(shown).toEqual(['bot', 'prompt']);
  });
  it('are not about what the next user of the tab has not read yet', () => {
    showNew([]);
    sessionEnded();
    sessionIsOf('ben');
    showNew([bot]);
    expect(shown).toEqual([]);
  });
  it('are not shown to a user who sees the page, or about what is read', () => {
    showNew([]);
    showNew([{ ...bot, unread: false }]);
    page.hidden = false;
    showNew([bot, prompt]);
    expect(shown).toEqual([]);
  });
});
