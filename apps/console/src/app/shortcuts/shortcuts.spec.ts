import { shortcutOf } from './shortcuts.ts';

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const ctrl = { ...none, ctrlKey: true };

describe('a keyboard shortcut', () => {
  it.each([
    ['palette', { ...ctrl, key: 'k' }],
    ['palette', { ...none, metaKey: true, key: 'K' }],
    ['shortcuts', { ...ctrl, key: '/' }],
    ['shortcuts', { ...ctrl, shiftKey: true, key: '/' }],
    ['navigation', { ...ctrl, key: 'b' }],
    ['new-chat', { ...ctrl, shiftKey: true, key: 'O' }],
    ['field', { ...none, shiftKey: true, key: 'Escape' }],
  ])('opens %s with %j', (shortcut, pressed) => expect(shortcutOf(pressed)).toBe(shortcut));

  it.each([
    { ...none, key: '?' },
    { ...none, key: 'k' },
    { ...none, key: 'Escape' },
    { ...ctrl, key: 'o' },
    { ...ctrl, shiftKey: true, key: 'K' },
    { ...ctrl, altKey: true, key: '/' },
  ])('is not %j', (pressed) => expect(shortcutOf(pressed)).toBe(null));
});
