import { KeptChats, LONGEST_FOLDER, MOST_KEPT, shelves } from './kept-chats.ts';

class Memory {
  readonly values = new Map<string, string>();
  getItem = (key: string) => this.values.get(key) ?? null;
  setItem = (key: string, value: string) => void this.values.set(key, value);
}

describe('pinned chats and folders', () => {
  it('are kept in this browser', () => {
    const memory = new Memory();
    new KeptChats(memory, 'ann').keep({ id: 'a', title: 'A', folder: null });
    expect(new KeptChats(memory, 'ann').all()).toEqual([{ id: 'a', title: 'A', folder: null }]);
    expect(new KeptChats(memory, 'ben').all()).toEqual([]);
  });
  it('keep changes that another tab has made meanwhile', () => {
    const memory = new Memory();
    const [one, other] = [new KeptChats(memory, 'ann'), new KeptChats(memory, 'ann')];
    one.keep({ id: 'a', title: 'A', folder: null });
    other.keep({ id: 'b', title: 'B', folder: null });
    expect(new KeptChats(memory, 'ann').all().map(({ id }) => id)).toEqual(['a', 'b']);
  });
  it('show changes by another tab', () => {
    const memory = new Memory();
    const [one, other] = [new KeptChats(memory, 'ann'), new KeptChats(memory, 'ann')];
    let changes = 0;
    other.subscribe(() => changes++);
    one.keep({ id: 'a', title: 'A', folder: null });
    // For example a draft: the list of chats must not be rendered for each character typed.
    other.changedElsewhere({ key: 'drafts' });
    expect([changes, other.all()]).toEqual([0, []]);
    other.changedElsewhere({ key: 'ann' });
    expect([changes, other.all().map(({ id }) => id)]).toEqual([1, ['a']]);
    memory.values.clear();
    other.changedElsewhere({ key: null });
    expect([changes, other.all()]).toEqual([2, []]);
  });
  it('do not restore chats that another tab has removed', () => {
    const memory = new Memory();
    const one = new KeptChats(memory, 'ann');
    one.keep({ id: 'a', title: 'A', folder: null });
    one.keep({ id: 'b', title: 'B', folder: null });
    const other = new KeptChats(memory, 'ann');
    one.drop('a');
    other.drop('b');
    expect(new KeptChats(memory, 'ann').all()).toEqual([]);
  });
  it('are kept in the page if the storage is full', () => {
    const setItem = () => {
      throw new Error('QuotaExceededError');
    };
    const store = new KeptChats({ getItem: () => '[]', setItem }, 'ann');
    let changes = 0;
    store.subscribe(() => changes++);
    store.keep({ id: 'a', title: 'A', folder: null });
    expect([changes, store.all()]).toEqual([1, [{ id: 'a', title: 'A', folder: null }]]);
  });
  it('have bounded names', () => {
    const store = new KeptChats(new Memory(), 'ann');
    store.keep({ id: 'a', title: 'x'.repeat(201), folder: 'y'.repeat(LONGEST_FOLDER + 1) });
    expect(store.all()).toEqual([{ id: 'a', title: 'x'.repeat(200), folder: 'y'.repeat(LONGEST_FOLDER) }]);
    store.rename(new Map([['a', 'z'.repeat(201)]]));
    expect(store.all()[0]!.title).toBe('z'.repeat(200));
  });
  it('have each chat only once', () => {
    const store = new KeptChats(new Memory(), 'ann');
    store.keep({ id: 'a', title: 'A', folder: null });
    store.keep({ id: 'a', title: 'A', folder: ' Work ' });
    expect(store.all()).toEqual([{ id: 'a', title: 'A', folder: 'Work' }]);
    store.drop('a');
    expect(store.all()).toEqual([]);
  });
  it('adopt new titles, and notify only of changes', () => {
    const store = new KeptChats(new Memory(), 'ann');
    store.keep({ id: 'a', title: 'A', folder: null });
    let changes = 0;
    store.subscribe(() => changes++);
    store.rename(new Map([['a', 'A']]));
    store.rename(
      new Map([
        ['a', 'B'],
        ['x', 'X'],
      ]),
    );
    expect([changes, store.all()[0]!.title]).toEqual([1, 'B']);
  });
  it('are bounded, and survive foreign data', () => {
    const memory = new Memory();
    const store = new KeptChats(memory, 'ann');
    for (let index = 0; index <= MOST_KEPT; index++) store.keep({ id: String(index), title: '', folder: null });
    expect([store.all().length, store.all()[0]!.id]).toEqual([MOST_KEPT, '1']);
    memory.values.set('ben', '[{"id":1},null]');
    expect(new KeptChats(memory, 'ben').all()).toEqual([]);
  });
  it('are shown with the pins first, then the folders by name', () => {
    const chats = [
      { id: 'a', title: '', folder: 'Z' },
      { id: 'b', title: '', folder: null },
      { id: 'c', title: '', folder: 'A' },
      { id: 'd', title: '', folder: 'Z' },
    ];
    expect(shelves(chats).map(({ folder, chats: its }) => [folder, its.map(({ id }) => id).join('')])).toEqual([
      [null, 'b'],
      ['A', 'c'],
      ['Z', 'ad'],
    ]);
  });
});
