import { keptChats, moveKeptChats, type Mover } from './kept-chats.ts';

const KEY = 'parlance.kept-chats.ann';

class Memory {
  readonly values = new Map<string, string>();
  getItem = (key: string) => this.values.get(key) ?? null;
  setItem = (key: string, value: string) => void this.values.set(key, value);
  removeItem = (key: string) => void this.values.delete(key);
}

const chats = [
  { id: 'a', title: 'A', folder: null },
  { id: 'b', title: 'B', folder: ' Work ' },
  { id: 'c', title: 'C', folder: 'Work' },
  { id: 'd', title: 'D', folder: null },
];

function world(stored: unknown = chats) {
  const memory = new Memory();
  memory.setItem(KEY, JSON.stringify(stored));
  const calls: string[] = [];
  /** IDs for which the server does not answer. */
  const failing = new Set<string>();
  const unknown = new Set<string>();
  const said = async (call: string, id: string) => {
    if (failing.has(id)) throw new Error('no answer');
    calls.push(call);
    return !unknown.has(id);
  };
  const mover: Mover = {
    project: async (title) => `project ${title}`,
    pin: (id) => said(`pin ${id}`, id),
    move: (id, projectId) => said(`${id} to ${projectId}`, id),
  };
  return { memory, calls, failing, unknown, run: () => moveKeptChats(memory, 'ann', mover) };
}

describe('pins and folders that an earlier release kept in this browser', () => {
  it('move to the server once', async () => {
    const { memory, calls, run } = world();
    expect(await run()).toBe(4);
    expect(calls).toEqual(['pin a', 'b to project Work', 'c to project Work', 'pin d']);
    expect(memory.values.size).toBe(0);
    expect(await run()).toBe(0);
    expect(calls).toHaveLength(4);
  });
  it('stay in the browser until the server has them', async () => {
    const { memory, calls, failing, run } = world();
    failing.add('c');
    await expect(run()).rejects.toThrow('no answer');
    expect(keptChats(memory, 'ann').map(({ id }) => id)).toEqual(['c', 'd']);
    failing.clear();
    expect(await run()).toBe(2);
    expect(calls).toEqual(['pin a', 'b to project Work', 'c to project Work', 'pin d']);
  });
  it('are dropped if the server does not know the chat', async () => {
    const { memory, unknown, run } = world();
    unknown.add('b');
    expect(await run()).toBe(3);
    expect(memory.values.size).toBe(0);
  });
  it('of other users, and foreign data, are not read', async () => {
    const { memory } = world([{ id: 1, folder: null }, null, { id: 'a' }, { id: 'b', folder: 3 }]);
    expect(keptChats(memory, 'ann')).toEqual([]);
    expect(keptChats(memory, 'ben')).toEqual([]);
    memory.setItem(KEY, '{');
    expect(keptChats(memory, 'ann')).toEqual([]);
  });
});
