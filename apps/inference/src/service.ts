import type { Service } from '@parlance/foundation';
import { handlers } from './bus.ts';
import { InferenceModule } from './inference.module.ts';
import { namedObjects } from './named-objects.ts';
import { schedule } from './schedule.ts';
import { ReplyScheduler } from './workflows/claiming/reply-scheduler.ts';

export { ImportRules } from './workflows/imports/import-rules.ts';

/** Requests for replies are refused before their bodies are read while this process cannot keep up. */
const install: Service['install'] = (app, instance) => {
  const replies = app.get(ReplyScheduler);
  instance.refusalOfWork = () => replies.refusal();
};

export const inference: Service = {
  name: 'inference',
  handlers,
  module: (host) => InferenceModule.of(host),
  schedule,
  install,
  namedObjects,
};
