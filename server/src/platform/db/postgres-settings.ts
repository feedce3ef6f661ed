import { existsSync, statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

const megabyte = 1024 * 1024

/** Settings for a machine that PostgreSQL shares with the product: 2 cores and 4 GB is the size we promise for. */
export function postgresSettings(port: number, logs: string): string[] {
  const memory = availableMegabytes()
  const small = memory < 2048
  return [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `shared_buffers=${small ? 64 : 256}MB`,
    `effective_cache_size=${Math.max(128, Math.round(memory / 3))}MB`,
    'work_mem=8MB',
    `maintenance_work_mem=${small ? 32 : 128}MB`,
    'max_connections=100',
    'max_wal_size=1GB',
    'wal_compression=on',
    'random_page_cost=1.1',
    // Our statements are short; compiling them costs more than it saves.
    'jit=off',
    'autovacuum_naptime=30s',
    'autovacuum_vacuum_scale_factor=0.05',
    'autovacuum_analyze_scale_factor=0.05',
    'timezone=UTC',
    'log_timezone=UTC',
    'logging_collector=on',
    `log_directory=${logs}`,
    'log_filename=postgres-%Y%m%d-%H%M%S.log',
    'log_rotation_size=10MB',
    'log_rotation_age=1d',
    'log_line_prefix=%m [%p] %a ',
    // Statements may hold values that are nobody's business.
    'log_min_error_statement=panic',
    'log_parameter_max_length_on_error=0',
    ...(hasSharedMemory() ? [] : ['dynamic_shared_memory_type=mmap']),
  ]
}

/** What the machine, or the container around us, has. */
function availableMegabytes(): number {
  const limit = process.constrainedMemory?.() ?? 0
  const total = totalmem()
  return Math.round((limit > 0 && limit < total ? limit : total) / megabyte)
}

/** Containers often have 64 MB of /dev/shm; a parallel query would fail there. */
function hasSharedMemory(): boolean {
  if (process.platform !== 'linux') return true
  if (!existsSync('/dev/shm')) return false
  const { bsize, blocks } = statfsSync('/dev/shm')
  return bsize * blocks >= 256 * megabyte
}
