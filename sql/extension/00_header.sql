\echo Use "CREATE EXTENSION sqlagent" to load this file. \quit

