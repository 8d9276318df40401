import { describe, expect, it } from '@jest/globals';
import { mustEnd } from '@parlance/testing';
import { kindOf } from './artifact-kind.ts';
import { type Artifact, artifactOf, artifactsIn, choiceOf, shownOf, versionsOf } from './artifacts.ts';

const fenced = (code: string, language = 'html') => `\`\`\`${language}\n${code}\n\`\`\``;
const page = (title: string, body = '') => `<title>${title}</title>${body}`;
const reply = (id: string, text: string, isWriting = false) =>
  artifactsIn({
    id,
    parts: [
      { kind: 'reasoning', text: fenced('<i>') },
      { kind: 'text', text },
    ],
    isWriting,
  });

describe('the kind of an artifact', () => {
  const long = `# A plan\n\n${'Text. '.repeat(200)}`;
  it.each([
    ['html', '<p>', 'html'],
    ['svg', '<svg/>', 'svg'],
    ['xml', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg'],
    ['xml', ' <svg/>', 'svg'],
    ['xml', '<svg width="1"/>', 'svg'],
    ['xml', '<rss><svg/></rss>', null],
    ['mermaid', 'flowchart TD', 'mermaid'],
    ['markdown', long, 'markdown'],
    ['md', '# A plan', null],
    ['js', 'alert(1)', null],
    ['', '<p>', null],
  ])('of a block of %j with %j is %j', (language, code, kind) => expect(kindOf(language, code)).toBe(kind));
});

describe('the artifacts of a reply', () => {
  it('are its blocks that are more than code, with their titles', () =>
    expect(
      reply(
        'r',
        [
          fenced('let a', 'js'),
          fenced('<TITLE lang="en">A\n game</TITLE>'),
          fenced('<svg><title>Logo</title></svg>', 'xml'),
          fenced('<p>'),
        ].join('\n\n'),
      ),
    ).toEqual([
      { id: 'r/1', kind: 'html', title: 'A game', code: '<TITLE lang="en">A\n game</TITLE>', isComplete: true },
      { id: 'r/2', kind: 'svg', title: 'Logo', code: '<svg><title>Logo</title></svg>', isComplete: true },
      { id: 'r/3', kind: 'html', title: '', code: '<p>', isComplete: true },
    ]));

  it.each([
    ['html', '<title '.repeat(300_000)],
    ['html', `<title>${'a'.repeat(2_000_000)}`],
    ['md', `# ${' '.repeat(2_000_000)}\n`.repeat(2)],
    ['xml', `${' '.repeat(2_000_000)}<?xml ${'>'.repeat(2_000_000)}`],
  ])('are found in linear time: %s', (language, code) => expect(mustEnd(() => reply('r', fenced(code, language)).length)).toBeLessThan(2));

  it('have the first heading of a document as their title', () => {
    const [document] = reply('r', fenced(`Draft\n\n## The plan \n\n${'Text. '.repeat(200)}`, 'md'));
    expect(document).toMatchObject({ kind: 'markdown', title: 'The plan' });
  });

  it('are complete when they are closed, or the reply is no longer written', () => {
    const text = `${fenced('<p>')}\n\n\`\`\`html\n<b>`;
    expect(reply('r', text, true).map(({ isComplete }) => isComplete)).toEqual([true, false]);
    expect(reply('r', text).map(({ isComplete }) => isComplete)).toEqual([true, true]);
  });

  it('continue after a call of a tool, which ends the text before it', () => {
    const call = { kind: 'tool', callId: 'c', name: 'add', input: {}, status: 'running', result: null, expiresAt: null } as const;
    const parts = [{ kind: 'text', text: '```html\n<p>' } as const, call, { kind: 'text', text: '```html\n<b>' } as const];
    expect(artifactsIn({ id: 'r', parts, isWriting: true }).map(({ code, isComplete }) => [code, isComplete])).toEqual([
      ['<p>', true],
      ['<b>', false],
    ]);
  });
});

describe('the versions of an artifact', () => {
  const all = [
    ...reply('r1', `${fenced(page('Game', 'one'))}\n\n${fenced('<svg/>', 'svg')}`),
    ...reply('r2', `${fenced(page('Menu'))}\n\n${fenced(page('Game', 'two'))}`),
  ];
  const [one, , menu, two] = all as [Artifact, Artifact, Artifact, Artifact];

  it('have the same kind and title', () => {
    expect(versionsOf(all, two)).toEqual([one, two]);
    expect(versionsOf(all, menu)).toEqual([menu]);
  });

  it('are found by the code of their block, which may have grown since', () => {
    expect(artifactOf(all, one)).toBe(one);
    expect(artifactOf(all, { kind: 'html', code: page('Game') })).toBeUndefined();
    const growing = [...all, ...reply('r3', '```html\n<title>Game</title>three', true)];
    expect(artifactOf(growing, { kind: 'html', code: page('Game') })?.id).toBe('r3/0');
    expect(artifactOf(growing, one)).toBe(one);
  });

  it('replace each other while the newest is shown', () => {
    const [onOne, onTwo] = [choiceOf(all, one), choiceOf(all, two)];
    const later = [...all, ...reply('r3', fenced(page('Game', 'three')))];
    expect(shownOf(later, onTwo)).toMatchObject({ shown: { id: 'r3/0' }, versions: [{}, {}, {}] });
    expect(shownOf(later, onOne)).toMatchObject({ shown: { id: 'r1/0' }, versions: [{}, {}, {}] });
    expect(shownOf(reply('r9', 'Nothing'), onOne)).toBeUndefined();
  });
});
