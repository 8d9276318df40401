import { filledPrompt } from './filled-prompt.ts';

describe('a filled prompt', () => {
  it.each([
    ['Dear {{name}},', { name: 'Ada' }, 'Dear Ada,'],
    ['{{ tone | kind | firm }} and {{tone}}', { tone: 'firm' }, 'firm and firm'],
    ['Until {{day:Monday: noon}}', { day: 'Friday' }, 'Until Friday'],
    ['{{a}}{{b}}', { a: '{{b}}', b: '$&' }, '{{b}}$&'],
    ['Write \\{{name}} for {{name}}', { name: 'a name' }, 'Write {{name}} for a name'],
    ['No placeholder', {}, 'No placeholder'],
  ])('has values in place of its placeholders: %j', (text, values, filled) => expect(filledPrompt(text, values)).toBe(filled));
});
