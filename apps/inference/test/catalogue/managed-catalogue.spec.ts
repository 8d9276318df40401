import { afterAll } from '@jest/globals';
import { catalogueReaders } from './catalogue-readers.ts';
import { catalogueUnderTest } from './catalogue-under-test.ts';
import { managedModels } from './managed-models.ts';
import { managedProviders } from './managed-providers.ts';
import { providerHealth } from './provider-health.ts';

// One service for all cases. The first ones add the provider and the models of the others.
const catalogue = await catalogueUnderTest();
afterAll(() => catalogue.stop());

managedModels(catalogue);
catalogueReaders(catalogue);
providerHealth(catalogue);
managedProviders(catalogue);
