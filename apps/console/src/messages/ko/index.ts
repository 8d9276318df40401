import type { en as English } from '../en/index.ts';
import { bots } from './bots.ts';
import { charts } from './charts.ts';
import { chat } from './chat.ts';
import { common } from './common.ts';
import { store } from './store.ts';

export const texts: typeof English = { common, charts, chat, bots, store };
