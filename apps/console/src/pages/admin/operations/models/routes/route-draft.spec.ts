import { changeOfRoute, creationOfRoute, routeDraft, routeProblems } from './route-draft.ts';

const NONE: ReadonlySet<string> = new Set();
const draft = { ...routeDraft(null), id: 'fast', targets: ['a', 'b'], weights: { a: 3 }, fallbacks: ['c'] };

describe('a route', () => {
  it('says what is missing or wrong', () => {
    expect([...routeProblems(routeDraft(null), NONE)]).toEqual(['id', 'targets']);
    const wrong = { ...draft, weights: { b: 0 }, fallbacks: ['a'], retries: 11, timeout: 0.5 };
    expect([...routeProblems(wrong, new Set(['fast']))]).toEqual(['idTaken', 'weights', 'twice', 'retries', 'timeout']);
    expect([...routeProblems(draft, NONE)]).toEqual([]);
  });
  it('needs weights only where they are used', () => {
    const unused = { ...draft, strategy: 'fastest' as const, weights: { a: Number.NaN } };
    expect([...routeProblems(unused, NONE)]).toEqual([]);
    expect(changeOfRoute(unused).targets).toEqual([
      { model: 'a', weight: 1 },
      { model: 'b', weight: 1 },
    ]);
  });
  it('is sent as it was read', () => {
    const sent = creationOfRoute(draft);
    expect(sent).toEqual({
      id: 'fast',
      strategy: 'weighted',
      targets: [
        { model: 'a', weight: 3 },
        { model: 'b', weight: 1 },
      ],
      fallbacks: ['c'],
      retries: 2,
      timeout_seconds: null,
    });
    const read = { ...sent, ...changeOfRoute(draft), source: 'managed' as const, read_only: false, etag: '"1"' };
    expect(creationOfRoute(routeDraft(read as Parameters<typeof routeDraft>[0]))).toEqual(sent);
  });
});
