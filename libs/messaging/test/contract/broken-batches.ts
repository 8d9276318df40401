import { type Delivery } from '../../src/broker.ts';
import type { SubscribeOptions, Trimmed } from '../../src/broker.ts';
import { Honest } from './broken-brokers.ts';

export class HandlesOneAtATime extends Honest {
  override subscribe(options: SubscribeOptions) {
    let last: Promise<unknown> = Promise.resolve();
    const handle = (deliveries: readonly Delivery[]) => {
      const mine = last.then(() => options.handle(deliveries));
      last = mine.catch(() => undefined);
      return mine;
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

export class IgnoresTheLimits extends Honest {
  override subscribe(options: SubscribeOptions) {
    return this.inner.subscribe({ ...options, ...(options.batch && { batch: { events: 1_000, bytes: 1e9 } }) });
  }
}

export class NeverHandsOverSeveral extends Honest {
  override subscribe({ batch: _, ...options }: SubscribeOptions) {
    return this.inner.subscribe(options);
  }
}

export class MixesPartitions extends Honest {
  override subscribe(options: SubscribeOptions) {
    const waiting: Delivery[] = [];
    const mixed = Promise.withResolvers<void>();
    let isMixed = false;
    const handle = (deliveries: readonly Delivery[]) => {
      if (isMixed) return options.handle(deliveries);
      waiting.push(...deliveries);
      isMixed = new Set(waiting.map(({ partition }) => partition)).size > 1;
      if (isMixed) mixed.resolve(options.handle(waiting));
      return mixed.promise;
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

export class SetsTheWholeBatchAside extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = async (deliveries: readonly Delivery[]) => {
      if (deliveries.length > 1 || deliveries[0]!.attempt === 1) return options.handle(deliveries);
      throw new Error('one of the batch was rejected');
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

export class SkipsARejectedBatch extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = (deliveries: readonly Delivery[]) =>
      options.handle(deliveries).catch((error: unknown) => (deliveries.length > 1 ? undefined : Promise.reject(error)));
    return this.inner.subscribe({ ...options, handle });
  }
}

export class IsolatesOneByOne extends Honest {
  override subscribe(options: SubscribeOptions) {
    const handle = async (deliveries: readonly Delivery[]) => {
      for (const delivery of deliveries) await options.handle([delivery]);
    };
    return this.inner.subscribe({ ...options, handle });
  }
}

export class KeepsTrimmingToItself extends Honest {
  override subscribe({ onTrimmed: _, ...options }: SubscribeOptions) {
    return this.inner.subscribe(options);
  }
}

export class ReportsTrimmingOnce extends Honest {
  override subscribe(options: SubscribeOptions) {
    const onTrimmed = async (trimmed: Trimmed) => options.onTrimmed?.(trimmed)?.catch(() => undefined);
    return this.inner.subscribe({ ...options, onTrimmed });
  }
}

export class ReportsTrimmingLate extends Honest {
  override subscribe(options: SubscribeOptions) {
    const late: Trimmed[] = [];
    const handle = async (deliveries: readonly Delivery[]) => {
      await options.handle(deliveries);
      for (const trimmed of late.splice(0)) await options.onTrimmed?.(trimmed);
    };
    return this.inner.subscribe({ ...options, handle, onTrimmed: (trimmed) => void late.push(trimmed) });
  }
}
