import { tellsTheStoryOfACluster } from './cluster-story.ts';
import { tellsOfKnowledge } from './knowledge-story.ts';
import { tellsOfAKilledIdentity } from './replicas-story.ts';

/** The rest of the story is told of one process in embedded.spec.ts, and of a cluster in cluster.full.spec.ts. */
tellsTheStoryOfACluster({}, (running) => [(telling) => tellsOfAKilledIdentity(telling, running, ['identity-1']), tellsOfKnowledge]);
