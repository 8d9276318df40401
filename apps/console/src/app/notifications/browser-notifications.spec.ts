import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownNotification } from './browser-notifications.ts';

/** The channels to other tabs, by name. A real one would keep Node running. */
const channels = new Map<string, Channel>();
class Channel {
  readonly sent: unknown[] = [];
  private readonly listeners: ((event: { readonly data: unknown }) => void)[] = [];

  constructor(name: string) {
    channels.set(name, this);
  }

  addEventListener(_: 'message', listener: (event: { readonly data: unknown }) => void): void {
    this.listeners.push(listener);
  }

  postMessage(data: unknown): void {
    this.sent.push(data);
  }

  receive(data: unknown): void {
    for (const listener of this.listeners) listener({ data });
  }
}
Object.assign(globalThis, { BroadcastChannel: Channel });
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
  it('are not repeated after another tab has shown them, and others learn of them', () => {
    const tabs = channels.get('parlance-notifications')!;
    showNew([old]);
    tabs.receive(['bot']);
    showNew([prompt, bot, old]);
    expect([shown, tabs.sent.at(-1)]).toEqual([['prompt'], ['prompt']]);
    page.hidden = false;
    showNew([prompt, bot, old]);
    expect(tabs.sent.at(-1)).toEqual(['prompt', 'bot', 'old']);
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
