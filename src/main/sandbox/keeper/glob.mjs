// What `glob` has done beside itself.

import { parentPort, workerData } from 'node:worker_threads';
import { globbed } from './folder.mjs';

parentPort.postMessage(globbed(workerData));
