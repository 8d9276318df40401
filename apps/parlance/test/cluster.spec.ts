import { describeClusterStory } from './cluster-story.ts';
import { knowledgeStory } from './knowledge-story.ts';
import { killedIdentityStory } from './replicas-story.ts';

/** The rest of the story runs against one process in embedded.spec.ts, and against a cluster in cluster.full.spec.ts. */
describeClusterStory({}, (running) => [(story) => killedIdentityStory(story, running, ['identity-1']), knowledgeStory]);
