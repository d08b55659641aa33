import 'reflect-metadata';
import { startService } from '../../boot/service.js';
import { loadConfig } from '../../config/load.js';
import { createLog } from '../../telemetry/log.js';

/** The whole service as a process of its own, with the settings of its first argument; it says where it serves. */
const settings = JSON.parse(process.argv[2] ?? '{}') as NodeJS.ProcessEnv;
const service = await startService(loadConfig(settings), createLog('error'));
process.stdout.write(`${JSON.stringify({ event: 'serving', url: service.url, key: service.firstKey })}\n`);
process.on('SIGTERM', () => {
  service.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
