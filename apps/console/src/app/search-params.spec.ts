import { choiceParam, dateParam, flagParam, monthParam, textParam, timeParam } from './search-params.ts';

describe('values of an address', () => {
  it('reads a text that looks like a number as a text', () => expect(textParam(12)).toBe('12'));
  it.each([[''], [true], [{}], [undefined]])('ignores a value that is not a text: %j', (value) => expect(textParam(value)).toBeUndefined());
  it.each([['1'], [-1], [1.5], [Number.NaN]])('ignores a value that is not a time: %j', (value) =>
    expect(timeParam(value)).toBeUndefined(),
  );
  it('keeps a time', () => expect(timeParam(1_795_392_000)).toBe(1_795_392_000));
  it('ignores a flag in another form', () => expect([flagParam('true'), flagParam(false)]).toEqual([undefined, false]));
  it('ignores a date that the calendar does not have', () =>
    expect([dateParam('2026-02-28'), dateParam('2026-02-31'), dateParam('2026-2-8')]).toEqual(['2026-02-28', undefined, undefined]));
  it('ignores an invalid month', () =>
    expect([monthParam('2026-09'), monthParam('2026-13'), monthParam(2026)]).toEqual(['2026-09', undefined, undefined]));
  it('ignores a choice that is not offered', () =>
    expect([choiceParam('dead', ['dead', 'pending']), choiceParam('all', ['dead'])]).toEqual(['dead', undefined]));
});
