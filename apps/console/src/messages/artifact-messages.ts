import { artifacts } from './en/chat/artifacts.ts';
import { hookOf } from './index.ts';

/** Loaded when something is first shown beside a chat. */
export const useArtifactMessages = hookOf('artifacts', artifacts);
