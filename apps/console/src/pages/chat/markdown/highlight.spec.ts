import { highlighted } from './highlight.ts';

describe('the colours of code', () => {
  it('follow its language, by any of its names', () => {
    expect(highlighted('let a = 1;', 'ts')!.children).toEqual(highlighted('let a = 1;', 'typescript')!.children);
    expect(JSON.stringify(highlighted('let a = 1;', 'ts'))).toContain('hljs-keyword');
  });
  it('are missing for an unknown language', () => expect(highlighted('x', 'klingon')).toBeNull());
  it('are missing in long code', () => {
    expect(highlighted(' '.repeat(50_000), 'json')).not.toBeNull();
    expect(highlighted(' '.repeat(50_001), 'json')).toBeNull();
  });
  it('are shown in a long text', () => expect(highlighted('const a = 1;\n'.repeat(500), 'ts')).toMatchObject({ type: 'root' }));
  it.each([
    ['in thousands of parts', 'css', 'a{'.repeat(20_000)],
    ['with thousands of nested parts', 'ts', '`${'.repeat(13_000)],
    ['in an unknown language', 'constructor', 'a'],
  ])('are missing in code %s', (_, language, code) => expect(highlighted(code, language)).toBeNull());
});
