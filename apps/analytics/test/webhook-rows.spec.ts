import { afterEach, expect, it, jest } from '@jest/globals';
import { serviceUnderTest } from '@parlance/foundation/harness';
import { Projector } from '@parlance/read-models';
import { analytics } from '../src/service.ts';
import { DeliverySlots } from '../src/workflows/deliveries/delivery-slots.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

it('the rows of webhooks are declared before the projector removes rows that no process has declared for a week', async () => {
  const steps: string[] = [];
  const { prepare } = DeliverySlots.prototype;
  jest.spyOn(DeliverySlots.prototype, 'prepare').mockImplementation(async function (this: DeliverySlots) {
    await prepare.call(this);
    steps.push('declared');
  });
  const { start } = Projector.prototype;
  jest.spyOn(Projector.prototype, 'start').mockImplementation(function (this: Projector) {
    steps.push('projector starts');
    return start.call(this);
  });
  const service = await serviceUnderTest(analytics);
  await service.stop();
  expect(steps.slice(0, 2)).toEqual(['declared', 'projector starts']);
});
