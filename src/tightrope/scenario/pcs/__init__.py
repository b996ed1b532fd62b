"""Reader and writers of PCS files, the parameter format of ParamILS, SMAC and AClib."""
