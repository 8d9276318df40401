import { describe, expect, it } from '@jest/globals';
import { fileNameOf } from './file-name.ts';

describe('the name of the file', () => {
  it.each([
    ['Leave: what/when?', 'Leave what when.md'],
    ['..', 'chat.md'],
    ['Übersicht', 'Übersicht.md'],
    ['a'.repeat(200), `${'a'.repeat(80)}.md`],
  ])('of %j is %j', (title, name) => expect(fileNameOf(title)).toBe(name));

  it('ends with the extension of its content', () => expect(fileNameOf('Counter', 'html')).toBe('Counter.html'));
});
