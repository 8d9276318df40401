import { describe, expect, it } from '@jest/globals';
import { type Decider, fold, Instant, refuse, Refusal } from './index.ts';
import { specify } from './specify.ts';

type Command = { type: 'Light' } | { type: 'Snuff' };
type Event = { type: 'Lit' } | { type: 'Snuffed' };

const candle: Decider<Command, Event, 'new' | 'burning' | 'spent'> = {
  initialState: 'new',
  decide(command, state) {
    if (command.type === 'Snuff') return state === 'burning' ? [{ type: 'Snuffed' }] : [];
    return state === 'spent' ? refuse('conflict', 'candle_spent', 'The candle is burnt down.') : [{ type: 'Lit' }];
  },
  evolve: (_, event) => (event.type === 'Lit' ? 'burning' : 'spent'),
};

const given = specify(candle);

describe('a decider', () => {
  it('folds its history into a state', () => expect(fold(candle, [{ type: 'Lit' }, { type: 'Snuffed' }])).toBe('spent'));
  it('continues folding from a given state', () => expect(fold(candle, [{ type: 'Snuffed' }], 'burning')).toBe('spent'));
  it('names an unknown event of a newer release', () => {
    const evolve = (_: unknown, { type }: { type: string }) => (type === 'Lit' ? 'burning' : (undefined as unknown as string));
    expect(() => fold({ initialState: 'new', evolve }, [{ type: 'Lit' }, { type: 'Melted' }])).toThrow(
      // Logs show the error's name before its message.
      expect.objectContaining({
        name: 'UnknownEvent',
        message: 'An event of type Melted was written by a newer release, which has to handle this stream.',
      }),
    );
  });
});

describe('a specification', () => {
  it('passes if the expected events are emitted', () => given().when({ type: 'Light' }).emits({ type: 'Lit' }));
  it('passes if no events are expected and none are emitted', () => given().when({ type: 'Snuff' }).emits());
  it('passes if the expected refusal is returned', () =>
    given({ type: 'Lit' }, { type: 'Snuffed' }).when({ type: 'Light' }).refuses('candle_spent'));
  it('fails on other events', () => expect(() => given().when({ type: 'Light' }).emits({ type: 'Snuffed' })).toThrow());
  it('fails on events where a refusal was expected', () =>
    expect(() => given().when({ type: 'Light' }).refuses('candle_spent')).toThrow(/got/));
  it('fails on a refusal where events were expected', () =>
    expect(() => given({ type: 'Lit' }, { type: 'Snuffed' }).when({ type: 'Light' }).emits()).toThrow(
      /was refused: conflict candle_spent/,
    ));
  it('fails on another refusal', () =>
    expect(() => given({ type: 'Lit' }, { type: 'Snuffed' }).when({ type: 'Light' }).refuses('other')).toThrow());
});

describe('a refusal', () => {
  it('is an error that can be thrown', () => expect(refuse('missing', 'x', 'There is no x.')).toBeInstanceOf(Refusal));
  it('has a sentence as its message', () =>
    expect(refuse('conflict', 'bot_pinned', 'The bot is pinned.').message).toBe('The bot is pinned.'));
  it('does not compile without a sentence with a capital letter and a full stop', () => {
    // @ts-expect-error There is no detail.
    refuse('conflict', 'bot_pinned');
    // @ts-expect-error There is no capital letter.
    refuse('conflict', 'bot_pinned', 'the bot is pinned.');
    // @ts-expect-error There is no full stop.
    refuse('conflict', 'bot_pinned', 'The bot is pinned');
    const name: string = 'Bot';
    // @ts-expect-error The first letter is known only at run time.
    refuse('conflict', 'bot_pinned', `${name} is pinned.`);
    refuse('conflict', 'bot_pinned', `The bot ${name} is pinned.`);
  });
});

describe('an instant', () => {
  it('counts milliseconds and converts to whole seconds', () => expect(Instant.toSeconds(Instant.ofMillis(1_999))).toBe(1));
  it('can be converted to text and back', () => expect(Instant.parse(Instant.toString(Instant.ofSeconds(12.345)))).toBe(12_345));
});
