import { hasFormula, withFormulas } from './formulas.ts';

describe('formulas in the text of a model', () => {
  it.each([
    ['\\(a + b\\)', '$$a + b$$'],
    ['\\[x^2\\]', '\n$$\nx^2\n$$\n'],
    ['of $x^2$ here', 'of $$x^2$$ here'],
    ['$$\nx\n$$', '$$\nx\n$$'],
    ['Text:\n$$x^2$$\nMore', 'Text:\n$$\nx^2\n$$\nMore'],
    ['- a\n\n  $$x$$  ', '- a\n\n  $$\n  x\n  $$'],
    ['$$x =\n y$$', '$$\nx =\n y\n$$'],
    ['of $$x$$ and\n$$y$$ here', 'of $$x$$ and\n$$y$$ here'],
    ['$$a$$ and $$b$$', '$$a$$ and $$b$$'],
  ])('are read: %j', (text, formula) => expect(withFormulas(text)).toBe(formula));
  it('that start many times without an end are parsed quickly', () => {
    const text = '\\[ '.repeat(20_000);
    const begun = process.cpuUsage();
    expect(withFormulas(text)).toBe(text);
    const { user, system } = process.cpuUsage(begun);
    // Without a bound it takes minutes.
    expect((user + system) / 1_000_000).toBeLessThan(10);
  });
  it.each(['It costs $5 and $10.', '$5-$10', 'A$B$', 'from $ to $', String.raw`\$a\$`, 'no formula'])(
    'are not amounts of money: %j',
    (text) => {
      expect(withFormulas(text)).toBe(text);
      expect(hasFormula(withFormulas(text))).toBe(false);
    },
  );
  it('are drawn up to hundreds, and shown as source from thousands', () =>
    expect([1, 200, 1_000].map((count) => hasFormula('$$x^2$$ '.repeat(count)))).toEqual([true, true, false]));
  it.each(['`$x$`', '```sh\necho $a$ \\(b\\)\n```', '~~~\n$x$\n~~~', '```\n$x$ is still growing'])('are not in code: %j', (text) =>
    expect(withFormulas(text)).toBe(text),
  );
});
