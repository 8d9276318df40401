import type { BotConfiguration } from '@parlance/client/types';
import { changesBetween, shownAs } from './field-changes.ts';

const configuration = (part: Partial<BotConfiguration>) =>
  ({ title: 'Guide', instruction: 'Be brief.', active_models: [], default_model: null, ...part }) as BotConfiguration;

describe('the changes between two versions', () => {
  it('list the fields that differ', () =>
    expect(
      changesBetween(configuration({}), configuration({ default_model: 'local-extractive', instruction: 'Be brief.\nBe kind.' })),
    ).toEqual([
      {
        field: 'instruction',
        lines: [
          { kind: 'same', text: 'Be brief.' },
          { kind: 'added', text: 'Be kind.' },
        ],
      },
      { field: 'default_model', lines: [{ kind: 'added', text: 'local-extractive' }] },
    ]));

  it('do not show the ID of a picture', () =>
    expect(changesBetween(configuration({ picture: null }), configuration({ picture: '01K0000000000000000000000A' }))).toEqual([
      { field: 'picture', lines: null },
    ]));

  it('are none for equal configurations', () => expect(changesBetween(configuration({}), configuration({}))).toEqual([]));
});

describe('a value as lines', () => {
  it.each([
    [true, 'true'],
    [null, ''],
    [['a', 'b'], 'a\nb'],
    [[{ name: 'a' }], '{"name":"a"}'],
    [
      { type: 'shared', limits: { depth: 2, pages: null }, patterns: ['x', 'y'] },
      'type: shared\nlimits.depth: 2\npatterns: x\npatterns: y',
    ],
  ])('has a line for each part: %j', (value, text) => expect(shownAs(value)).toBe(text));
});
