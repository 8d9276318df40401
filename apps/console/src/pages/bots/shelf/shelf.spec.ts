import { joined, matching, type ShelfBot } from './shelf.ts';

const bot = (id: string, more: Partial<ShelfBot> = {}): ShelfBot => ({
  id,
  title: id,
  description: '',
  icon: null,
  colour: null,
  picture: null,
  is_starred: false,
  status: 'unshared',
  ...more,
});
const ids = (bots: readonly ShelfBot[]) => bots.map(({ id }) => id);

describe('lists of bots', () => {
  it('are joined with each bot once', () =>
    expect(ids(joined([bot('a'), bot('b')], undefined, [bot('b'), bot('c')], [bot('a')]))).toEqual(['a', 'b', 'c']));
});

describe('a search in listed bots', () => {
  const bots = [
    bot('described', { title: 'Travel', description: 'Reads the handbook' }),
    bot('inside', { title: 'The handbook' }),
    bot('first', { title: 'Handbook' }),
    bot('other', { title: 'Recipes' }),
  ];

  it('prefers the beginning of a title to its middle, and that to the description', () =>
    expect(ids(matching(bots, ' HAND'))).toEqual(['first', 'inside', 'described']));

  it('without text finds all', () => expect(matching(bots, ' ')).toBe(bots));
});
