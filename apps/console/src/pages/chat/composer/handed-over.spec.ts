import { expect, it } from '@jest/globals';

it('forgets the files of a user when the session ends', async () => {
  // An open channel would keep Node running.
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  const { handedOver } = await import('./handed-over.ts');
  const { sessionBegan, sessionEnded } = await import('../../../session/session-state.ts');
  sessionBegan();
  handedOver.set('c', [{ id: 1, file: new File(['x'], 'own.txt'), kind: 'attachment' }]);
  sessionEnded();
  expect(handedOver.size).toBe(0);
});
